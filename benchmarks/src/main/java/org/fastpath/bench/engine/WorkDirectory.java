package org.fastpath.bench.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.io.FileUtils;

/**
 * The directory of one run. Results stay in it. The cluster's directory is below it and begins
 * empty. It is deleted after a success. After a failure it stays until the next run, for its logs.
 */
public final class WorkDirectory implements AutoCloseable {
  /** sockaddr_un holds 107 bytes; "/sockets/dn._PORT" and the port take up to 20 of them. */
  private static final int LONGEST_WITH_SOCKETS = 78;

  private final Path path;
  private final FileChannel lock;

  /**
   * Takes the directory for this run and deletes the files of an earlier cluster. Fails if another
   * run uses it.
   */
  public WorkDirectory(Path path) throws IOException {
    this.path = Files.createDirectories(path.toAbsolutePath().normalize());
    this.lock = lock(this.path.resolve("lock"));
    deleteCluster();
  }

  /** Returns a directory below the project's, which {@code bin/fastpath} sets. */
  public static Path underHome(String relative) {
    return Path.of(System.getProperty("fastpath.home", "")).resolve(relative);
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // This JVM holds the lock.
    }
    channel.close();
    throw new IllegalStateException("another run uses " + file.getParent());
  }

  public Path resolve(String name) {
    return path.resolve(name);
  }

  public Path path() {
    return path;
  }

  public Path cluster() {
    return path.resolve("cluster");
  }

  /** Returns whether the path of a socket below the cluster fits into the kernel's structure. */
  public boolean hasRoomForSockets() {
    return cluster().toString().length() <= LONGEST_WITH_SOCKETS;
  }

  public void requireRoomForSockets() {
    if (!hasRoomForSockets()) {
      throw new IllegalStateException(
          "the path of " + cluster() + " is too long for domain sockets; set a shorter --out");
    }
  }

  public void deleteCluster() throws IOException {
    FileUtils.deleteDirectory(cluster().toFile());
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
