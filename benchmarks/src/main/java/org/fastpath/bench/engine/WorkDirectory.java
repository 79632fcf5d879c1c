package org.fastpath.bench.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
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
  /** Set by {@code bin/fastpath} to the directory that relative defaults refer to. */
  private static final String HOME = "fastpath.home";

  /** sockaddr_un holds 107 bytes; "/sockets/dn._PORT" and the port take up to 20 of them. */
  private static final int LONGEST_WITH_SOCKETS = 78;

  private final Path path;
  private final FileChannel lock;

  /**
   * Takes the directory for this run and deletes the files of an earlier cluster.
   *
   * @throws IllegalStateException if another run uses it
   */
  public WorkDirectory(Path path) throws IOException {
    this.path = Files.createDirectories(path.toAbsolutePath().normalize());
    this.lock = lock(this.path.resolve("lock"));
    deleteCluster();
  }

  /** Returns a directory below the project's, whatever the current directory is. */
  public static Path underHome(String relative) {
    return Path.of(System.getProperty(HOME, "")).resolve(relative);
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock held = null;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This JVM holds the lock: the message is the same as for another JVM.
    }
    if (held == null) {
      channel.close();
      throw new IllegalStateException("another run uses " + file.getParent());
    }
    return channel;
  }

  /** Returns the path of a results file. */
  public Path resolve(String name) {
    return path.resolve(name);
  }

  /** Returns the directory. */
  public Path path() {
    return path;
  }

  /** Returns the cluster's directory. */
  public Path cluster() {
    return path.resolve("cluster");
  }

  /** Returns whether the path of a socket below the cluster fits into the kernel's structure. */
  public boolean hasRoomForSockets() {
    return cluster().toString().length() <= LONGEST_WITH_SOCKETS;
  }

  /** Fails if the path is too long for a domain socket. */
  public void requireRoomForSockets() {
    if (!hasRoomForSockets()) {
      throw new IllegalStateException(
          "the path of " + cluster() + " is too long for domain sockets; set a shorter --out");
    }
  }

  /** Deletes the cluster's data and logs. */
  public void deleteCluster() throws IOException {
    FileUtils.deleteDirectory(cluster().toFile());
  }

  /** Releases the directory. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
