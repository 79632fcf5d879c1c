package org.fastpath.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prevents a second cluster in a directory, and shows other processes that the first one lives. The
 * kernel releases the lock with the process.
 */
final class DirectoryLock implements AutoCloseable {
  /**
   * The locks of this JVM. A lock on a file belongs to the process, and closing any channel to the
   * file releases it. So a locked file must not be opened again.
   */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private DirectoryLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Acquires the lock.
   *
   * @throws ClusterException if another cluster has it
   */
  static DirectoryLock acquire(ClusterLayout layout) throws IOException {
    Path file = layout.lock();
    if (HELD_HERE.add(file)) {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new DirectoryLock(file, channel);
      }
      channel.close();
      HELD_HERE.remove(file);
    }
    throw new ClusterException("another cluster runs in " + layout.root());
  }

  /** Returns whether a cluster of this or another process has the lock. */
  static boolean isHeld(ClusterLayout layout) throws IOException {
    Path file = layout.lock();
    if (HELD_HERE.contains(file)) {
      return true;
    }
    if (!Files.exists(file)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return channel.tryLock() == null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    HELD_HERE.remove(file);
  }
}
