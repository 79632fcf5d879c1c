package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.LockedFiles;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Role;

/**
 * A file in the locked memory of an HDFS's only DataNode, and its clients. Each variant and round
 * has a client in its own JVM. Not thread-safe.
 */
final class CachedFile implements AutoCloseable {
  /** Parameters of all clients: the file, its length, and the process of the DataNode. */
  static final String PATH = "path";

  static final String BYTES = "bytes";
  static final String DATA_NODE = "datanode";

  private static final int WRITE_BUFFER = 1 << 20;

  /** Additional locked bytes, because the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  private static final long DIRECT_SLACK = 64L << 20;
  private final Run run;
  private final Cluster cluster;
  private final Consumer<DaemonOptions> process;
  private final DoubleFile content;
  private final Path path = new Path("/doubles");

  /**
   * One variant of a comparison: the set-up of an HDFS client.
   *
   * @param id the name in results and in the report
   * @param description the description for the report
   * @param conf its configuration, which overrides the cluster's
   * @param jars file names of our jars that are before its class path
   */
  record Client(String id, String description, Map<String, String> conf, List<String> jars) {
    Client(String id, String description, Map<String, String> conf) {
      this(id, description, conf, List.of());
    }

    /** Returns a variant with the same configuration and these jars of ours. */
    Client as(String newId, String newDescription, String... newJars) {
      return new Client(newId, newDescription, conf, List.of(newJars));
    }

    /** Returns this variant with a key of the configuration. */
    Client with(String key, Object value) {
      Params all = new Params();
      all.putAll(conf);
      return new Client(id, description, all.with(key, value), jars);
    }
  }

  /**
   * Starts HDFS, writes the file and waits until it is cached.
   *
   * @param process changes the options of DataNode and clients
   */
  CachedFile(Run run, DoubleFile content, long blockBytes, Consumer<DaemonOptions> process)
      throws IOException {
    run.directory().requireRoomForSockets();
    this.run = run;
    this.content = content;
    this.process = process;
    cluster =
        new Cluster(
            run,
            "",
            builder ->
                builder
                    .hbase(false)
                    .shortCircuit(true)
                    .lockedMemory(content.bytes() + SLACK)
                    // Experiments with little data have small blocks.
                    .conf("dfs.namenode.fs-limits.min-block-size", "4096")
                    .daemon(Role.DATANODE, process));
    try {
      write(blockBytes);
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void write(long blockBytes) throws IOException {
    LockedFiles locked = new LockedFiles(cluster.files());
    Console.Step step = run.step("bytes", "write the file");
    try (OutputStream out =
        cluster.files().create(path, true, WRITE_BUFFER, (short) 1, blockBytes)) {
      content.write(out, step::update);
    }
    step.done(content.bytes());
    locked.await(locked.ask(path), run.step("bytes", "cache the file"));
  }

  /**
   * Measures a variant once; its figures are the next round.
   *
   * @param arguments of the probe besides the file
   * @param params parameters of all figures
   * @param parameter the parameter that distinguishes variants of the probe's work
   */
  void measure(
      Client variant,
      String round,
      Class<? extends Lines.Probe> probe,
      Map<String, String> arguments,
      Map<String, String> params,
      String parameter)
      throws IOException {
    Map<String, String> all = new HashMap<>(arguments);
    all.put(PATH, path.toString());
    all.put(BYTES, Long.toString(content.bytes()));
    all.put(DATA_NODE, Long.toString(cluster.dataNode().pid()));
    Console.Step step = run.step("parts", round, variant.id());
    Lines lines = new Lines();
    List<String> words = Lines.arguments(probe, all);
    String main = Lines.class.getName();
    int exit =
        cluster
            .processes()
            .runClient(
                main, words, options -> set(options, variant), line -> lines.hear(line, step));
    if (exit != 0) {
      throw new IOException(
          "the client "
              + variant.id()
              + " failed: see "
              + run.directory().cluster().resolve("logs"));
    }
    run.results().describe(variant.id(), variant.description());
    lines.record(run, step, params, parameter, variant.id());
  }

  private void set(DaemonOptions options, Client variant) {
    Layout layout = Layout.here();
    variant.jars().forEach(jar -> options.prependToClasspath(layout.jar(jar)));
    long direct = content.bytes() + DIRECT_SLACK;
    options
        .prependToClasspath(layout.classPath())
        .conf(variant.conf())
        .jvmFlags("-XX:MaxDirectMemorySize=" + direct);
    process.accept(options);
  }

  /** Returns CPU time, user and system, of all threads of this JVM. */
  static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** Stops all processes. */
  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
