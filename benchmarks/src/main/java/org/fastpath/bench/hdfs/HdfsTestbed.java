package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.fastpath.bench.Layout;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Pause;
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
  private static final String POOL = "experiments";
  private static final Duration CACHE_LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 100;
  private static final int WRITE_BUFFER = 1 << 20;

  /** Beside what is asked for: the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  private final LocalCluster cluster;
  private final Layout layout = Layout.here();
  private final DistributedFileSystem files;

  private final Consumer<DaemonOptions> process;

  private HdfsTestbed(
      LocalCluster cluster, DistributedFileSystem files, Consumer<DaemonOptions> process) {
    this.cluster = cluster;
    this.files = files;
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
      DistributedFileSystem files = connect(cluster);
      files.addCachePool(new CachePoolInfo(POOL));
      return new HdfsTestbed(cluster, files, process);
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** This JVM has no libhadoop, and writes only. */
  private static DistributedFileSystem connect(LocalCluster cluster) throws IOException {
    Configuration conf = new Configuration();
    cluster.clientConfiguration().forEach(conf::set);
    conf.set(ClientSide.SHORT_CIRCUIT, "false");
    return (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  /** Writes a file and has it cached; returns when it is. */
  Path provide(String name, HdfsContent content, long blockBytes, Console console)
      throws IOException {
    Console.Step step = console.step("write " + name, "bytes");
    Path path = new Path("/" + name);
    try (OutputStream out = files.create(path, true, WRITE_BUFFER, (short) 1, blockBytes)) {
      content.write(out, step::update);
    }
    step.done(content.bytes());
    Console.Step caching = console.step("cache " + name, "bytes");
    cache(path, content.bytes(), caching);
    caching.done(content.bytes());
    return path;
  }

  private void cache(Path path, long bytes, Console.Step step) throws IOException {
    CacheDirectiveInfo directive =
        new CacheDirectiveInfo.Builder().setPath(path).setPool(POOL).build();
    long id = files.addCacheDirective(directive);
    long deadline = System.nanoTime() + CACHE_LIMIT.toNanos();
    for (long cached = cached(id); cached < bytes; cached = cached(id)) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            String.format(
                "of %,d bytes of %s the DataNode has %,d in its cache after %d s: to lock memory it must run as root"
                    + " or with a high enough ulimit -l; see %s",
                bytes, path, cached, CACHE_LIMIT.toSeconds(), dataNode().log()));
      }
      step.update(cached, bytes);
      Pause.millis(POLL_MILLIS);
    }
  }

  private long cached(long directive) throws IOException {
    CacheDirectiveInfo filter = new CacheDirectiveInfo.Builder().setId(directive).build();
    RemoteIterator<CacheDirectiveEntry> entries = files.listCacheDirectives(filter);
    CacheDirectiveStats stats = entries.next().getStats();
    return stats.getBytesCached();
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
      files.close();
    }
  }
}
