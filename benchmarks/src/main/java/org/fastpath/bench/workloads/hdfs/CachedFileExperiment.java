package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
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
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
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
    try (Cluster cluster =
        new Cluster(
            run,
            "",
            builder ->
                builder
                    .hbase(false)
                    .shortCircuit(true)
                    .lockedMemory(CachedFile.lockedBytes(size))
                    // Experiments with little data have small blocks.
                    .conf("dfs.namenode.fs-limits.min-block-size", "4096")
                    .daemon(Role.DATANODE, process))) {
      CachedFile file = new CachedFile(run, cluster, size, block);
      Interleaved.rounds(
          rounds.rounds,
          variants,
          (variant, round, label) -> {
            Console.Step step = run.step("parts", label, variant.id());
            Lines lines = file.read(variant, probe, settings, process, step);
            run.results().describe(variant.id(), variant.description());
            lines.record(run, step, params, parameter, variant.id());
          });
    }
  }

  /** Reads the file in a client's own JVM. Settings are in the client's configuration. */
  abstract static class FileProbe implements Lines.Probe {
    final Configuration conf = new HdfsConfiguration();
    final DoubleFile file = new DoubleFile(conf.getLong(CachedFile.BYTES, 0));
    FSDataInputStream in;
    Lines.Sink sink;

    @Override
    public final void measure(Map<String, String> params, Lines.Sink figures) throws IOException {
      sink = figures;
      try (FileSystem files = FileSystem.newInstance(conf)) {
        files.setVerifyChecksum(verifiesChecksums());
        try (FSDataInputStream opened = files.open(new Path(conf.get(CachedFile.PATH)))) {
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
