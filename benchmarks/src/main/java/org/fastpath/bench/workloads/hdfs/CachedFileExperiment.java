package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.LockedFiles;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Role;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures clients of a file in the locked memory of an HDFS's only DataNode. In each round, each
 * variant has a client in its own JVM, which runs a probe. A variant is the set-up of an HDFS
 * client: its configuration, and our jars in front of its class path.
 */
abstract class CachedFileExperiment extends Experiment {
  /** Keys in the configuration of all clients: the file, its length, and the DataNode's process. */
  static final String PATH = "bench.path";

  static final String BYTES = "bench.bytes";
  static final String DATA_NODE = "bench.datanode";

  /** Additional locked bytes, because the DataNode rounds up to pages. */
  private static final long SLACK = 16L << 20;

  @Mixin private Options.Rounds rounds = new Options.Rounds(5);

  @Option(
      names = "--size",
      paramLabel = "MB",
      converter = Options.Positive.class,
      description = "Size of the file.")
  int size;

  @Option(names = "--block", paramLabel = "MB", converter = Options.Positive.class)
  int block = 128;

  /** Changes the options of DataNode and clients. */
  Consumer<DaemonOptions> process = options -> {};

  CachedFileExperiment(int size) {
    this.size = size;
  }

  /**
   * Starts HDFS with the cached file, and measures all variants in all rounds.
   *
   * @param settings additional configuration of all clients, for the probe
   * @param params parameters of all figures
   * @param parameter the parameter that distinguishes variants of the probe's work
   */
  final void measure(
      Run run,
      List<Variant> variants,
      Class<? extends FileProbe> probe,
      Map<String, String> settings,
      Map<String, String> params,
      String parameter)
      throws IOException {
    run.directory().requireRoomForSockets();
    DoubleFile content = new DoubleFile((long) size << 20);
    Path path = new Path("/doubles");
    try (Cluster cluster =
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
                    .daemon(Role.DATANODE, process))) {
      write(run, cluster, path, content);
      Params all = new Params().with(PATH, path).with(BYTES, content.bytes());
      all.with(DATA_NODE, cluster.dataNode().pid()).putAll(settings);
      Interleaved.rounds(
          rounds.rounds,
          variants,
          (variant, round, label) -> {
            Console.Step step = run.step("parts", label, variant.id());
            Lines lines = new Lines();
            int exit =
                cluster
                    .processes()
                    .runClient(
                        Lines.class.getName(),
                        Lines.arguments(probe, Map.of()),
                        options -> set(options.conf(all), variant),
                        line -> lines.hear(line, step));
            if (exit != 0) {
              String logs = run.directory().cluster().resolve("logs").toString();
              throw new IOException("the client " + variant.id() + " failed: see " + logs);
            }
            run.results().describe(variant.id(), variant.description());
            lines.record(run, step, params, parameter, variant.id());
          });
    }
  }

  private void write(Run run, Cluster cluster, Path path, DoubleFile content) throws IOException {
    LockedFiles locked = new LockedFiles(cluster.files());
    Console.Step step = run.step("bytes", "write the file");
    long blockBytes = (long) block << 20;
    try (OutputStream out = cluster.files().create(path, true, 1 << 20, (short) 1, blockBytes)) {
      content.write(out, step::update);
    }
    step.done(content.bytes());
    locked.await(locked.ask(path), run.step("bytes", "cache the file"));
  }

  private void set(DaemonOptions options, Variant variant) {
    Layout layout = Layout.here();
    options
        .prependToClasspath(variant.jars().stream().map(layout::jar).toList())
        .prependToClasspath(layout.classPath())
        .conf(variant.conf())
        .jvmFlags("-XX:MaxDirectMemorySize=" + (size + 64) + "m");
    process.accept(options);
  }

  /** Reads the file in a client's own JVM. Settings are in the client's configuration. */
  abstract static class FileProbe implements Lines.Probe {
    final Configuration conf = new HdfsConfiguration();
    final DoubleFile file = new DoubleFile(conf.getLong(BYTES, 0));
    FSDataInputStream in;
    Lines.Sink sink;

    @Override
    public final void measure(Map<String, String> params, Lines.Sink figures) throws IOException {
      sink = figures;
      try (FileSystem files = FileSystem.newInstance(conf)) {
        files.setVerifyChecksum(verifiesChecksums());
        try (FSDataInputStream opened = files.open(new Path(conf.get(PATH)))) {
          in = opened;
          measure();
        }
      }
    }

    abstract boolean verifiesChecksums();

    /** Measures reads of the open file and checks them. */
    abstract void measure() throws IOException;

    /** Returns CPU time, user and system, of all threads of this JVM. */
    static long cpuNanos() {
      return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
          .getProcessCpuTime();
    }
  }
}
