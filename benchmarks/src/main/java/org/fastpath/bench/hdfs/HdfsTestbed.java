package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.Layout;
import org.fastpath.bench.workload.Console;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/**
 * HDFS with one DataNode that locks files in memory, and clients of it in JVMs of their own. Files
 * are written with blocks of the size that the experiment wants, and are cached when {@link #cache}
 * returns. Not thread-safe.
 */
public final class HdfsTestbed implements AutoCloseable {
  private static final int WRITE_BUFFER = 1 << 20;

  /** Beside what is asked for: the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  private final LocalCluster cluster;
  private final Layout layout = Layout.here();
  private final LockedFiles locked;

  private final Consumer<DaemonOptions> process;

  private HdfsTestbed(LocalCluster cluster, LockedFiles locked, Consumer<DaemonOptions> process) {
    this.cluster = cluster;
    this.locked = locked;
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param directory its data, logs and configuration
   * @param lockedBytes how much the DataNode may lock in memory
   * @param progress gets a line for every step of starting and stopping
   */
  public static HdfsTestbed start(
      java.nio.file.Path directory, long lockedBytes, Consumer<String> progress)
      throws IOException {
    return start(directory, lockedBytes, progress, options -> {});
  }

  /** The same for tests that measure nothing: DataNode and clients start with little work. */
  static HdfsTestbed startQuickly(java.nio.file.Path directory, long lockedBytes)
      throws IOException {
    return start(directory, lockedBytes, line -> {}, DaemonOptions::quickStart);
  }

  private static HdfsTestbed start(
      java.nio.file.Path directory,
      long lockedBytes,
      Consumer<String> progress,
      Consumer<DaemonOptions> process)
      throws IOException {
    Layout layout = Layout.here();
    LocalCluster cluster =
        LocalCluster.builder()
            .directory(directory)
            .jars(layout.libDirectory())
            .hbase(false)
            .shortCircuit(true)
            .onProgress(progress)
            .lockedMemory(lockedBytes + SLACK)
            // Experiments with little data have small blocks.
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            .daemon(Role.DATANODE, process)
            .start();
    try {
      Configuration client = new Configuration();
      cluster.clientConfiguration().forEach(client::set);
      return new HdfsTestbed(cluster, LockedFiles.connect(client), process);
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Writes a file and has it cached; returns when it is. */
  Path provide(String name, HdfsContent content, long blockBytes, Console console)
      throws IOException {
    Console.Step step = console.step("write " + name, "bytes");
    Path path = new Path("/" + name);
    try (OutputStream out =
        locked.client().create(path, true, WRITE_BUFFER, (short) 1, blockBytes)) {
      content.write(out, step::update);
    }
    step.done(content.bytes());
    locked.await(locked.ask(path), console.step("cache " + name, "bytes"));
    return path;
  }

  /**
   * Runs a client to its end.
   *
   * @param options what its process needs besides; its side's configuration and jars are set
   */
  void runClient(
      ClientSide side,
      List<String> arguments,
      Consumer<DaemonOptions> options,
      Consumer<String> output)
      throws IOException {
    int exit =
        cluster.runClient(
            HdfsClient.class.getName(),
            arguments,
            chosen -> {
              side.jars().forEach(jar -> chosen.prependToClasspath(layout.jar(jar)));
              chosen.prependToClasspath(layout.classPath()).conf(side.conf());
              process.andThen(options).accept(chosen);
            },
            output);
    if (exit != 0) {
      throw new IOException(
          "the client " + side.id() + " failed: see " + cluster.directory().resolve("logs"));
    }
  }

  Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  /** Stops all processes. */
  @Override
  public void close() throws IOException {
    try (cluster) {
      locked.close();
    }
  }
}
