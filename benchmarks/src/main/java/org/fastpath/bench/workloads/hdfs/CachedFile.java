package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.LockedFiles;
import org.fastpath.bench.engine.report.Numbers;
import org.fastpath.bench.engine.results.Statistics;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Role;

/**
 * A file in the locked memory of an HDFS's only DataNode, and its clients. Each variant and round
 * has a client in its own JVM. Not thread-safe.
 */
final class CachedFile implements AutoCloseable {
  private static final int WRITE_BUFFER = 1 << 20;

  /** Additional locked bytes, because the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  private static final long DIRECT_SLACK = 64L << 20;
  private final Run run;
  private final Cluster cluster;
  private final Consumer<DaemonOptions> process;
  private final DoubleFile content;
  private final Path path = new Path("/doubles");

  private CachedFile(
      Run run, Cluster cluster, DoubleFile content, Consumer<DaemonOptions> process) {
    this.run = run;
    this.cluster = cluster;
    this.content = content;
    this.process = process;
  }

  /**
   * Starts HDFS, writes the file and waits until it is cached.
   *
   * @param process changes the options of DataNode and clients
   */
  static CachedFile write(
      Run run, DoubleFile content, long blockBytes, Consumer<DaemonOptions> process)
      throws IOException {
    run.directory().requireRoomForSockets();
    Cluster cluster =
        new Cluster(
            run.directory().cluster(),
            run.console()::line,
            builder ->
                builder
                    .hbase(false)
                    .shortCircuit(true)
                    .lockedMemory(content.bytes() + SLACK)
                    // Experiments with little data have small blocks.
                    .conf("dfs.namenode.fs-limits.min-block-size", "4096")
                    .daemon(Role.DATANODE, process));
    CachedFile file = new CachedFile(run, cluster, content, process);
    try {
      file.write(blockBytes);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
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
      ClientVariant variant,
      String round,
      HdfsClient.Work work,
      Map<String, String> arguments,
      Map<String, String> params,
      String parameter)
      throws IOException {
    Console.Step step = run.step("parts", round, variant.id());
    Lines lines = new Lines();
    client(variant, words(work, arguments), line -> lines.hear(line, step));
    run.results().describe(variant.id(), variant.description());
    StringJoiner told = new StringJoiner("; ");
    lines
        .samples()
        .forEach(
            (key, values) -> {
              Map<String, String> all = new LinkedHashMap<>(params);
              all.put(parameter, key.variant());
              run.round(key.name(), all, variant.id(), key.unit(), values);
              String median = Numbers.withUnit(Statistics.median(values), key.unit());
              told.add(parameter + " " + key.variant() + ": " + median);
            });
    step.done(told.toString());
  }

  private List<String> words(HdfsClient.Work work, Map<String, String> arguments) {
    Map<String, String> all = new LinkedHashMap<>(arguments);
    all.put(HdfsClient.PATH, path.toString());
    all.put(HdfsClient.BYTES, Long.toString(content.bytes()));
    all.put(HdfsClient.DATA_NODE, Long.toString(cluster.dataNode().pid()));
    List<String> words = new ArrayList<>(List.of(work.name()));
    all.forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }

  private void client(ClientVariant variant, List<String> words, Consumer<String> output)
      throws IOException {
    Layout layout = Layout.here();
    int exit =
        cluster
            .processes()
            .runClient(
                HdfsClient.class.getName(),
                words,
                options -> {
                  variant.jars().forEach(jar -> options.prependToClasspath(layout.jar(jar)));
                  options.prependToClasspath(layout.classPath()).conf(variant.conf());
                  long direct = content.bytes() + DIRECT_SLACK;
                  options.jvmFlags("-XX:MaxDirectMemorySize=" + direct);
                  process.accept(options);
                },
                output);
    if (exit != 0) {
      throw new IOException(
          "the client "
              + variant.id()
              + " failed: see "
              + run.directory().cluster().resolve("logs"));
    }
  }

  /** Stops all processes. */
  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
