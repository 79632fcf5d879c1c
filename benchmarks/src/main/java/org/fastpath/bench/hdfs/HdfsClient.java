package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The client's JVM: a {@link ClientProbe} and its parameters are the arguments, its figures are
 * lines of standard output.
 */
public final class HdfsClient {
  private HdfsClient() {}

  /** What it can measure. */
  enum Work {
    /** See {@link VecsumProbe}. */
    VECSUM(new VecsumProbe(), "passes"),
    /** See {@link PreadsProbe}. */
    PREADS(new PreadsProbe(), "turns"),
    /** See {@link JobsProbe}. */
    JOBS(new JobsProbe(), "jobs");

    private final ClientProbe probe;
    private final String unit;

    Work(ClientProbe probe, String unit) {
      this.probe = probe;
      this.unit = unit;
    }

    /** What its progress is counted in. */
    String unit() {
      return unit;
    }
  }

  /** Runs the probe of that name with parameters as {@code name=value}. */
  public static void main(String[] args) throws IOException {
    Map<String, String> params = new LinkedHashMap<>();
    Arrays.stream(args)
        .skip(1)
        .map(arg -> arg.split("=", 2))
        .forEach(assignment -> params.put(assignment[0], assignment[1]));
    Configuration conf = new HdfsConfiguration();
    Work.valueOf(args[0]).probe.measure(conf, new ClientProbe.Params(params), new Lines());
    // Clients of HDFS have threads that are no daemons.
    System.exit(0);
  }

  private static final class Lines implements ClientProbe.Sink {
    @Override
    public void figure(String name, String variant, String unit, double value) {
      print(ClientProbe.FIGURE, name, variant, unit, Double.toString(value));
    }

    @Override
    public void progress(long done, long total) {
      print(ClientProbe.PROGRESS, Long.toString(done), Long.toString(total));
    }

    private static void print(String... parts) {
      System.out.println(String.join(ClientProbe.SEPARATOR, parts));
    }
  }
}
