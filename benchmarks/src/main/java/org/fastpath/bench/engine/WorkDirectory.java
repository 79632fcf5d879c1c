package org.fastpath.bench.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of one run: results stay in it, and below it lies the cluster, which begins empty
 * and goes when the run has succeeded. After a failure it stays, for its logs, until the next run.
 */
public final class WorkDirectory implements AutoCloseable {
  /** Set by {@code bin/fastpath}: what relative defaults are relative to. */
  private static final String HOME = "fastpath.home";

  /** sockaddr_un holds 107 bytes, "/sockets/dn._PORT" and the port take up to 20 of them. */
  private static final int LONGEST_WITH_SOCKETS = 78;

  private final Path path;
  private final FileChannel lock;

  /**
   * Takes the directory for this run and clears what an earlier cluster left in it.
   *
   * @throws IllegalStateException if another run uses it
   */
  public WorkDirectory(Path path) throws IOException {
    this.path = Files.createDirectories(path.toAbsolutePath().normalize());
    this.lock = lock(this.path.resolve("lock"));
    deleteCluster();
  }

  /** A directory below the project's, wherever the command was called from. */
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
      // Held by this JVM: the same message as for another one.
    }
    if (held == null) {
      channel.close();
      throw new IllegalStateException("another run uses " + file.getParent());
    }
    return channel;
  }

  /** A file of results. */
  public Path resolve(String name) {
    return path.resolve(name);
  }

  /** The directory itself. */
  public Path path() {
    return path;
  }

  /** Where the cluster goes. */
  public Path cluster() {
    return path.resolve("cluster");
  }

  /** Whether the path of a domain socket below the cluster fits into the kernel's structure. */
  public boolean hasRoomForSockets() {
    return cluster().toString().length() <= LONGEST_WITH_SOCKETS;
  }

  /** Refuses a path that has no room for one. */
  public void requireRoomForSockets() {
    if (!hasRoomForSockets()) {
      throw new IllegalStateException(
          "the path of " + cluster() + " is too long for domain sockets: see --out");
    }
  }

  /** Removes the cluster's data and logs. */
  public void deleteCluster() throws IOException {
    if (!Files.exists(cluster())) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(cluster())) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path entry : paths) {
      Files.deleteIfExists(entry);
    }
  }

  /** Gives the directory back. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
