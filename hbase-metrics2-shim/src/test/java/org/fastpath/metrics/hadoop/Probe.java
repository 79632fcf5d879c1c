package org.fastpath.metrics.hadoop;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/**
 * Runs in its own JVM. Registers sources before and after a metrics system starts, restarts the
 * system, withdraws sources, and prints the visible beans. The arguments are what {@link
 * ProcessRole} looks for in the command line, and the prefix with which the process starts the
 * default metrics system, or {@code none}.
 */
final class Probe {
  /** The system property that names the file of the file sink. */
  static final String FILE = "probe.file";

  private static final String TEXT = "Of a test";
  private static final MetricsInfo OWN = Interns.info("ownCount", TEXT);

  private Probe() {}

  public static void main(String[] args) throws Exception {
    String prefix = args[args.length - 1];
    boolean system = !prefix.equals("none");
    boolean first = Arrays.asList(args).contains("first");
    if (system && first) {
      DefaultMetricsSystem.initialize(prefix);
    }
    Registration early = registerSource("Early");
    registerThings();
    settle();
    if (system && !first) {
      DefaultMetricsSystem.initialize(prefix);
    }
    registerSource("Late");
    beans("started");
    if (system) {
      withDefaultSystem();
    }
    if (Arrays.asList(args).contains("later")) {
      registerOwn(DefaultMetricsSystem.initialize("Later"), "Program");
    }
    early.close();
    beans("withdrawn");
    registerSource("Early");
    beans("again");
    settle();
    Metrics.errors().forEach(error -> System.out.println("error " + error));
    DefaultMetricsSystem.shutdown();
    System.out.println("end");
  }

  private static void withDefaultSystem() throws Exception {
    MetricsSystem system = DefaultMetricsSystem.instance();
    PrometheusMetricsSink prometheus = new PrometheusMetricsSink();
    system.register("prometheus", TEXT, prometheus);
    scrape("started", prometheus, "Late");
    registerWhatIsTaken(system);
    system.stop(); // HBase does this to forget regions
    beans("stopped");
    registerSource("Meanwhile");
    system.start();
    beans("restarted");
    scrape("restarted", prometheus, "Meanwhile");
  }

  /** A name that the daemon itself uses. */
  private static void registerWhatIsTaken(MetricsSystem system) throws Exception {
    String name = ProcessRole.current().sourceName("Taken");
    registerOwn(system, name);
    registerSource("Taken").close();
    settle();
  }

  private static void registerOwn(MetricsSystem system, String name) {
    MetricsSource own = (collector, all) -> collector.addRecord("Own").addGauge(OWN, 1);
    system.register(name, TEXT, own);
  }

  private static Registration registerSource(String name) {
    SourceBuilder builder = Metrics.source(name, TEXT);
    Counter counter = builder.counter("someCount", TEXT);
    counter.add(3);
    builder.gauge("sizeBytes", TEXT, () -> 4096);
    builder.text("mode", TEXT, () -> "fast");
    builder.histogram("get", Unit.NANOS, TEXT).record(5_000_000, 10);
    return builder.register();
  }

  /** Sources are registered on a thread of the publisher's. */
  private static void settle() throws Exception {
    HadoopMetricsPublisher.awaitRegistered();
  }

  private static void registerThings() {
    AggregateSource things = Metrics.aggregate("Things", TEXT, "table", "region");
    for (String region : List.of("a", "b")) {
      SourceBuilder builder = things.pseudoSource("t", region);
      builder.counter("readCount", TEXT).add(region.equals("a") ? 1 : 2);
      builder.register();
    }
  }

  private static void beans(String when) throws Exception {
    settle();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    for (ObjectName name : new TreeSet<>(server.queryNames(new ObjectName("Hadoop:*"), null))) {
      System.out.println(when + " bean " + name);
      for (var attribute : server.getMBeanInfo(name).getAttributes()) {
        System.out.println(
            when
                + " attribute "
                + name
                + " "
                + attribute.getName()
                + "="
                + server.getAttribute(name, attribute.getName()));
      }
    }
  }

  /** Publishes until the sinks, which have threads of their own, have got a source. */
  private static void scrape(String when, PrometheusMetricsSink sink, String source)
      throws IOException {
    Path file = Path.of(System.getProperty(FILE));
    String text = "";
    while (!text.contains("fastpath_" + source.toLowerCase(Locale.ROOT))
        || !Files.readString(file).contains("Fastpath" + source)) {
      DefaultMetricsSystem.instance().publishMetricsNow();
      StringWriter written = new StringWriter();
      sink.writeMetrics(new PrintWriter(written, true));
      text = written.toString();
    }
    text.lines().forEach(line -> System.out.println(when + " scrape " + line));
    Files.readString(file).lines().forEach(line -> System.out.println(when + " file " + line));
  }
}
