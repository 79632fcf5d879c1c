package org.fastpath.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.bench.BenchmarksJar;
import org.fastpath.bench.docs.PromQl.Query;
import org.fastpath.bench.engine.Layout;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the metrics of a real RegionServer, HMaster and DataNode with our jars. The endpoints for
 * Prometheus and JMX show all metrics of {@code docs/operate/metrics.md}, and each query of the
 * dashboard has an answer.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MetricsEndpointsIT {
  private static final String OBSERVER = "org.fastpath.metrics.region.RegionMetricsObserver";
  private static final String FILE_SYSTEM = "org.fastpath.zcr.ZeroCopyFileSystem";
  private static final long LOCKED = 16 << 20;
  private static final TableName TABLE = TableName.valueOf("dashboard");
  private static final byte[] FAMILY = {'f'};
  private static final int ROWS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long POLL_MILLIS = 500;

  /** A bean's name in the page, by the kind of process. */
  private static final Pattern BEAN = Pattern.compile("\\| bean, (\\w+) \\| `([^`]+)` \\|");

  /**
   * A metric's row in the page: kind, and its names at /prometheus and /prom, or at one of them.
   */
  private static final Pattern METRIC =
      Pattern.compile(
          "\\| `\\w+` \\| (counter|gauge|label) \\| [^|]+ \\| `(\\w+)` \\|(?: `(\\w+)` \\|)?");

  private static List<Path> ours;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    assumeThat(PrometheusNames.inHBase()).as("HBase has /prometheus").isTrue();
    ours = jars();
    cluster =
        LocalCluster.builder()
            .jars(Layout.here().libDirectory())
            .conf("hadoop.prometheus.endpoint.enabled", "true")
            .shortCircuit(true)
            .lockedMemory(LOCKED)
            .daemon(Role.REGIONSERVER, MetricsEndpointsIT::observed)
            .conf("hbase.fastpath.tiering.flush", "HOT")
            .daemon(
                Role.MASTER,
                options ->
                    options
                        .prependToClasspath(ours)
                        .quickStart()
                        .conf(
                            "hbase.coprocessor.master.classes",
                            "org.fastpath.tiered.regionserver.TierKeeper")
                        .conf("hbase.fastpath.tiering.keeper.period-millis", "1000"))
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .prependToClasspath(ours)
                        .quickStart()
                        .conf(
                            "dfs.datanode.fsdataset.volume.choosing.policy",
                            "org.fastpath.tiered.datanode.LatencyAwareVolumeChoosingPolicy")
                        .conf(
                            "dfs.datanode.fsdataset.factory",
                            "org.fastpath.tiered.datanode.TieredDatasetFactory")
                        .conf("dfs.fastpath.write-behind.types", "DISK"))
            .start();
    load();
  }

  private static List<Path> jars() {
    Layout layout = Layout.here();
    return List.of(
        layout.jar(Layout.CHECKSUM_JAR),
        layout.jar(Layout.METRICS_JAR),
        layout.jar(Layout.OFF_HEAP_JAR),
        layout.jar(Layout.ZCR_JAR),
        layout.jar(Layout.TIERED_JAR));
  }

  private static void observed(DaemonOptions options) {
    options
        .prependToClasspath(ours)
        .quickStart()
        .conf("hbase.coprocessor.region.classes", OBSERVER)
        .conf(
            "hbase.regionserver.impl",
            "org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer")
        .conf("hbase.fastpath.offheap-cache.size", "32m")
        .conf("hbase.fastpath.offheap-reader.enabled", "true")
        .conf("hbase.fastpath.inline-reads.enabled", "true")
        .conf("fs.hdfs.impl", FILE_SYSTEM)
        .conf(
            "hbase.coprocessor.user.region.classes",
            "org.fastpath.zcr.hbase.MappedBlocks,org.fastpath.tiered.regionserver.TieredStores")
        .conf(
            "hbase.coprocessor.regionserver.classes",
            "org.fastpath.zcr.pin.CachePinning,org.fastpath.tiered.regionserver.guard.TierGuard,"
                + "org.fastpath.zcr.warmup.ReadWarmUp")
        .conf("hbase.fastpath.warm-up.seconds", "15")
        .conf("hbase.fastpath.tier-guard.survey-seconds", "1")
        .conf("hbase.fastpath.hdfs-cache.policy", "ALWAYS")
        .conf("hbase.fastpath.hdfs-cache.limit", Long.toString(LOCKED))
        .conf("hbase.fastpath.hdfs-cache.interval-seconds", "1");
  }

  /** Runs some of each timed operation. */
  private static void load() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] row = ("row" + i).getBytes(StandardCharsets.US_ASCII);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        table.get(new Get(row));
        gets.add(new Get(row));
      }
      admin.flush(TABLE);
      table.get(gets);
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result row : scanner) {
          assertThat(row.isEmpty()).isFalse();
          rows++;
        }
      }
      assertThat(rows).isEqualTo(ROWS);
      table.delete(new Delete(gets.get(0).getRow()));
    }
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  private static Daemon master() {
    return cluster.daemon(Role.MASTER, 0);
  }

  private static Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  private static List<Series> scrape() throws IOException {
    List<Series> series = scrapeHBase();
    series.addAll(Scrape.of(dataNode(), "hdfs-datanode"));
    return series;
  }

  private static List<Series> scrapeHBase() throws IOException {
    List<Series> series = new ArrayList<>(Scrape.of(regionServer(), "hbase-regionserver"));
    series.addAll(Scrape.of(master(), "hbase-master"));
    return series;
  }

  private interface Check {
    List<String> problems() throws IOException;
  }

  /**
   * Returns problems that remain after a while. HBase removes all its beans for half a second a few
   * seconds after a region was opened.
   */
  private static List<String> problemsThatStay(Check check)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> problems = check.problems();
    while (!problems.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(POLL_MILLIS);
      problems = check.problems();
    }
    return problems;
  }

  @Test
  void everyQueryOfTheDashboardSelectsSeries() throws IOException, InterruptedException {
    Dashboard dashboard = Dashboard.read(Repository.DASHBOARD);

    assertThat(problemsThatStay(() -> dashboard.problems(scrape()))).isEmpty();
  }

  /** Checks that the test above would fail. */
  @Test
  void eachMisspeltNameInTheDashboardIsNoticed() throws IOException, InterruptedException {
    String json = Files.readString(Repository.DASHBOARD);
    List<List<Series>> complete = new ArrayList<>();
    Dashboard dashboard = Dashboard.of(json);
    problemsThatStay(
        () -> {
          complete.add(scrape());
          return dashboard.problems(complete.get(complete.size() - 1));
        });
    List<Series> series = complete.get(complete.size() - 1);
    List<String> names = metrics(dashboard);

    assertThat(names).isNotEmpty();
    for (String name : names) {
      String misspelt = name + "s";
      assertThat(Dashboard.of(json.replaceAll("\\b" + name + "\\b", misspelt)).problems(series))
          .isNotEmpty()
          .anyMatch(problem -> problem.contains("nothing has __name__=\"" + misspelt + "\""));
    }
  }

  private static List<String> metrics(Dashboard dashboard) {
    return dashboard.targets().stream()
        .map(
            target ->
                PromQl.parse(
                    target
                        .expression()
                        .replaceAll("\\$__rate_interval", "1m")
                        .replaceAll("\\$top", "5")))
        .map(Query::selectors)
        .flatMap(List::stream)
        .map(selector -> selector.matchers().get(0).value())
        .distinct()
        .toList();
  }

  @Test
  void everyMetricOfThePageIsAtTheEndpoints() throws IOException, InterruptedException {
    assertThat(problemsThatStay(MetricsEndpointsIT::missingMetrics)).isEmpty();
  }

  private static List<String> missingMetrics() throws IOException {
    List<Series> hbase = scrapeHBase();
    List<Series> hadoop = Scrape.of(dataNode(), "hdfs-datanode");
    List<String> missing = new ArrayList<>();
    List<MatchResult> rows = rows(METRIC);
    assertThat(rows).isNotEmpty();
    for (MatchResult row : rows) {
      String kind = row.group(1);
      boolean isInHBase = !isMissing(kind, row.group(2), hbase);
      if (row.group(3) == null) {
        if (!isInHBase && isMissing(kind, row.group(2), hadoop)) {
          missing.add(row.group(2));
        }
        continue;
      }
      if (!isInHBase) {
        missing.add("/prometheus: " + row.group(2));
      }
      if (isMissing(kind, row.group(3), hadoop)) {
        missing.add("/prom: " + row.group(3));
      }
    }
    return missing;
  }

  private static boolean isMissing(String kind, String name, List<Series> series) {
    return kind.equals("label")
        ? series.stream().allMatch(one -> one.label(name).isEmpty())
        : series.stream().noneMatch(one -> one.name().equals(name));
  }

  @Test
  void everyBeanOfThePageIsInJmx() throws IOException, InterruptedException {
    assertThat(problemsThatStay(MetricsEndpointsIT::missingBeans)).isEmpty();
  }

  private static List<String> missingBeans() throws IOException {
    List<String> missing = new ArrayList<>();
    List<MatchResult> rows = rows(BEAN);
    assertThat(rows).isNotEmpty();
    for (MatchResult row : rows) {
      boolean isThere =
          switch (row.group(1)) {
            case "RegionServer" -> hasBean(regionServer(), row.group(2));
            case "HMaster" -> hasBean(master(), row.group(2));
            case "DataNode" -> hasBean(dataNode(), row.group(2));
            default -> true; // a client's bean, which the next test checks
          };
      if (!isThere) {
        missing.add(row.group(2));
      }
    }
    return missing;
  }

  @Test
  void everyBeanOfThePageIsInAClient() throws IOException {
    List<String> beans =
        rows(BEAN).stream()
            .filter(row -> row.group(1).equals("client"))
            .map(row -> row.group(2))
            .toList();
    List<String> output = new ArrayList<>();
    int code =
        cluster.runClient(
            ClientBeans.class.getName(),
            beans,
            options ->
                options
                    .prependToClasspath(ours)
                    .prependToClasspath(Path.of("target", "test-classes"))
                    .conf("fs.hdfs.impl", FILE_SYSTEM)
                    .jvmFlags("-Ddfs.fastpath.metrics.client=true"),
            output::add);

    assertThat(beans).isNotEmpty();
    assertThat(code).as(String.join("\n", output)).isZero();
  }

  /** Checks {@code bin/fastpath cache} on the pages of the RegionServers. */
  @Test
  void theCommandTellsWhatIsPinned() throws IOException, InterruptedException {
    assertThat(problemsThatStay(() -> unless(cache("status"), "default/dashboard", "in memory")))
        .isEmpty();
    assertThat(
            problemsThatStay(
                () -> unless(cache("plan"), "nothing to change", "cached whole", "\ndashboard ")))
        .isEmpty();
  }

  /** Checks {@code bin/fastpath volumes} on the page of the DataNode. */
  @Test
  void theCommandTellsHowVolumesAreChosen() throws IOException, InterruptedException {
    String dataNode = "localhost:" + dataNode().httpPort();
    assertThat(
            problemsThatStay(
                () -> unless(run("volumes", dataNode, "--times", "1"), "DISK", "100.0 %")))
        .isEmpty();
  }

  private static String cache(String command) throws IOException {
    return run("cache", command, "--conf", cluster.clientConfDir().toString());
  }

  private static String run(String... arguments) throws IOException {
    try {
      BenchmarksJar.Run run = BenchmarksJar.runTools(arguments);
      return run.exit() == 0 ? run.printed() : "failed: " + run.printed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the command runs");
    }
  }

  private static List<String> unless(String printed, String... parts) {
    return Stream.of(parts).allMatch(printed::contains) ? List.of() : List.of(printed);
  }

  private static boolean hasBean(Daemon daemon, String bean) throws IOException {
    return daemon.jmxAttribute(bean, "name").filter(bean::equals).isPresent();
  }

  private static List<MatchResult> rows(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(Repository.METRICS_PAGE)).results().toList();
  }
}
