package org.fastpath.offheap.restart;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a cache, mapped and locked. Its content is used again if its superblock has the same
 * description as this process; otherwise the file is made again.
 *
 * <p>All of it is written at its creation, including tables, because a missing page of a sparse
 * file would end the process.
 *
 * <p>The process keeps the lock until its end, also after the shut-down of the cache, because
 * readers may hold blocks. Call {@link #close} only if no thread holds a block.
 */
public final class CacheFile implements AutoCloseable {
  public static final String FILE_KEY = "hbase.fastpath.offheap-cache.file";

  private static final Logger LOG = LoggerFactory.getLogger(CacheFile.class);

  private final Path path;
  private final FileChannel channel;
  private final CacheFileLayout layout;
  private final boolean inherited;
  private CacheMemory tables;
  private CacheMemory data;

  private CacheFile(Path path, FileChannel channel, CacheFileLayout layout) throws IOException {
    this.path = path;
    this.channel = channel;
    this.layout = layout;
    lock();
    this.inherited = isInherited();
  }

  /**
   * @throws CacheConfigurationException if the directory does not exist, the file belongs to
   *     another program or is in use, or there is no room
   */
  public static CacheFile open(Path path, CacheFileLayout layout) {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw refusal(path, "its directory does not exist", null);
    }
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      CacheFile file = new CacheFile(path, channel, layout);
      file.map();
      return file;
    } catch (IOException e) {
      close(channel);
      throw refusal(path, "it cannot be used: " + e, e);
    } catch (RuntimeException | Error e) {
      close(channel);
      throw e;
    }
  }

  private static CacheConfigurationException refusal(Path path, String why, Exception cause) {
    return new CacheConfigurationException(
        FILE_KEY
            + " is "
            + path
            + ": "
            + why
            + ". Allowed is a file of this cache, or a new one, in a directory with room for "
            + CacheMemory.SIZE_KEY,
        cause);
  }

  private static void close(FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      LOG.warn("The file of the block cache was not closed", e);
    }
  }

  private void lock() throws IOException {
    boolean locked;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      locked = false;
    }
    if (!locked) {
      throw refusal(path, "another RegionServer uses it (it is locked)", null);
    }
  }

  private boolean isInherited() throws IOException {
    if (channel.size() == 0) {
      return false;
    }
    ByteBuffer superblock = ByteBuffer.allocate(SuperblockDescriptor.BYTES);
    while (superblock.hasRemaining() && channel.read(superblock, superblock.position()) > 0) {
      // Reads until the end.
    }
    if (!SuperblockDescriptor.isOurs(superblock)) {
      throw refusal(path, "another program's file", null);
    }
    String found = SuperblockDescriptor.description(superblock);
    if (layout.description().equals(found)) {
      return true;
    }
    LOG.warn(
        "The block cache starts empty: {} {}",
        path,
        found == null
            ? "was not finished, is damaged or has the format of another version"
            : "was written for " + found + "; configured is " + layout.description());
    return false;
  }

  private void map() throws IOException {
    requireRoom();
    if (!inherited) {
      channel.truncate(0);
      write(SuperblockDescriptor.unfinished());
    }
    try {
      tables = CacheMemory.mapped(path, 0, layout.dataAt());
      data = CacheMemory.mapped(path, layout.dataAt(), layout.dataBytes(), layout.regionBytes());
      if (!inherited) {
        write(SuperblockDescriptor.finished(layout.description()));
      }
    } catch (CacheConfigurationException e) {
      unmap();
      throw refusal(path, e.getMessage(), e);
    }
  }

  private void requireRoom() throws IOException {
    long room = channel.size() + Files.getFileStore(path).getUsableSpace();
    if (layout.bytes() > room) {
      throw refusal(
          path, layout.bytes() + " bytes are needed, its file system has room for " + room, null);
    }
  }

  private void write(ByteBuffer superblock) throws IOException {
    for (superblock.clear(); superblock.hasRemaining(); ) {
      channel.write(superblock, superblock.position());
    }
  }

  public Path path() {
    return path;
  }

  public CacheFileLayout layout() {
    return layout;
  }

  /** Returns whether it has blocks of an earlier process. */
  public boolean inherited() {
    return inherited;
  }

  /** Returns superblock, names and records; locations are offsets in the file. */
  public CacheMemory tables() {
    return tables;
  }

  /** Returns the memory for blocks. */
  public CacheMemory data() {
    return data;
  }

  private void unmap() {
    if (tables != null) {
      tables.close();
    }
    if (data != null) {
      data.close();
    }
  }

  /** Unmaps and unlocks the file. The records stay in it. */
  @Override
  public void close() {
    unmap();
    close(channel);
  }
}
