package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.bench.engine.Lines;

/**
 * The client's JVM. Its arguments are the measurement and its parameters; its figures are lines of
 * standard output.
 */
public final class HdfsClient {
  /** A parameter: the {@link ReadMode}. */
  static final String MODE = "mode";

  /** A parameter: the file. */
  static final String PATH = "path";

  /** A parameter: its length. */
  static final String BYTES = "bytes";

  /** A parameter: the process of the DataNode. */
  static final String DATA_NODE = "datanode";

  private HdfsClient() {}

  /** A measurement of an HDFS client. */
  interface Probe {
    /** Measures. */
    void measure(Configuration conf, Params params, Lines.Sink sink) throws IOException;
  }

  /** The measurements. */
  enum Work {
    /** Measures by {@link VecsumProbe}. */
    VECSUM(new VecsumProbe()),
    /** Measures by {@link PreadsProbe}. */
    PREADS(new PreadsProbe());

    private final Probe probe;

    Work(Probe probe) {
      this.probe = probe;
    }
  }

  /**
   * The parameters of a measurement.
   *
   * @param values by name
   */
  record Params(Map<String, String> values) {
    String text(String name) {
      return Objects.requireNonNull(values.get(name), name);
    }

    int number(String name) {
      return Integer.parseInt(text(name));
    }

    long bytes(String name) {
      return Long.parseLong(text(name));
    }
  }

  /** Runs the probe of that name with parameters as {@code name=value}. */
  public static void main(String[] args) throws IOException {
    Params params = new Params(Lines.params(args, 1));
    Work.valueOf(args[0]).probe.measure(new HdfsConfiguration(), params, Lines.writer());
    // HDFS clients have threads that are not daemons.
    System.exit(0);
  }

  /** Returns CPU time, user and system, of all threads of this JVM. */
  static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
