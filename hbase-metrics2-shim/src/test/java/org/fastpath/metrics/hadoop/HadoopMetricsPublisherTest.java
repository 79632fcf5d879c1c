package org.fastpath.metrics.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.metrics.Metrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sources in JMX, in a file sink and in the Prometheus sink, for every kind of process, each in a
 * JVM of its own ({@link Probe}): Hadoop's metrics system is one per JVM.
 */
class HadoopMetricsPublisherTest {
  @TempDir private Path directory;

  /** The arguments of {@link Probe}, and the expected beans of its sources. */
  enum Process {
    REGION_SERVER(
        "Hadoop:service=HBase,name=RegionServer,sub=",
        "regionserver",
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "HBase"),
    MASTER(
        "Hadoop:service=HBase,name=Master,sub=",
        "master",
        "org.apache.hadoop.hbase.master.HMaster",
        "HBase"),
    DATA_NODE(
        "Hadoop:service=DataNode,name=",
        "dfs",
        "org.apache.hadoop.hdfs.server.datanode.DataNode",
        "DataNode"),
    /** A client that started the default metrics system before it used us. */
    PROGRAM("Hadoop:service=Program,name=", "client", "first", "Program");

    private final String beans;
    private final String context;
    private final String[] arguments;

    Process(String beans, String context, String... arguments) {
      this.beans = beans;
      this.context = context;
      this.arguments = arguments;
    }

    List<String> beans(String... sources) {
      return Arrays.stream(sources).map(source -> beans + source).toList();
    }
  }

  private ForkedJvm.Result probe(String... arguments) throws IOException, InterruptedException {
    return probe(false, arguments);
  }

  private ForkedJvm.Result probe(boolean client, String... arguments)
      throws IOException, InterruptedException {
    Path file = Files.createFile(directory.resolve("sink.txt"));
    List<String> properties = new ArrayList<>();
    for (String prefix : List.of("hbase", "datanode", "program")) {
      properties.add(prefix + ".sink.file.class=org.apache.hadoop.metrics2.sink.FileSink");
      properties.add(prefix + ".sink.file.filename=" + file);
    }
    Files.write(directory.resolve("hadoop-metrics2.properties"), properties);
    ForkedJvm.Result result =
        ForkedJvm.ours()
            .inFront(directory)
            .flag("-D" + Probe.FILE + "=" + file)
            .flag("-D" + ClientMetrics.KEY + "=" + client)
            .run(directory.resolve("probe.log"), Probe.class.getName(), arguments);
    assertThat(result.output()).endsWith("end\n");
    return result;
  }

  private static Stream<String> after(ForkedJvm.Result result, String prefix) {
    return result.lines(prefix + " ").stream().map(line -> line.substring(prefix.length() + 1));
  }

  private static List<String> beans(ForkedJvm.Result result, String when) {
    return after(result, when + " bean")
        .filter(bean -> !bean.contains("name=MetricsSystem") && !bean.endsWith("Taken"))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void sourcesAreBeansWhateverComesFirst(Process process) throws Exception {
    ForkedJvm.Result result = probe(process.arguments);
    List<String> all = process.beans("Early", "FastpathMetrics", "Late", "Meanwhile", "Things");
    assertThat(beans(result, "started"))
        .isEqualTo(process.beans("Early", "FastpathMetrics", "Late", "Things"));
    assertThat(beans(result, "stopped")).isEmpty();
    assertThat(beans(result, "restarted")).isEqualTo(all);
    assertThat(beans(result, "withdrawn"))
        .isEqualTo(process.beans("FastpathMetrics", "Late", "Meanwhile", "Things"));
    assertThat(beans(result, "again")).isEqualTo(all);
    for (String when : List.of("started", "restarted", "again")) {
      assertAttributes(process, result, when);
    }
    assertThings(process, result);
    for (String when : List.of("started", "restarted")) {
      assertScrape(process, after(result, when + " scrape").toList());
      assertFile(process, after(result, when + " file").toList());
    }
    assertThat(after(result, "error"))
        .containsExactly(
            "source Taken is not shown: org.apache.hadoop.metrics2.MetricsException: Metrics "
                + "source "
                + process.beans("Taken").get(0).replaceAll(".*name=", "")
                + " already exists!");
    assertThat(after(result, "again bean")).contains(process.beans + "Taken");
  }

  private static void assertAttributes(Process process, ForkedJvm.Result result, String when) {
    List<String> attributes = after(result, when + " attribute").toList();
    for (String source : List.of("Early", "Late")) {
      assertThat(attributes)
          .contains(
              process.beans + source + " tag.Context=" + process.context,
              process.beans + source + " tag.mode=fast",
              process.beans + source + " someCount=3",
              process.beans + source + " sizeBytes=4096",
              process.beans + source + " getCount=10",
              process.beans + source + " getTotalNanos=50000000",
              process.beans + source + " getP999Nanos=5000000")
          .anyMatch(line -> line.startsWith(process.beans + source + " tag.Hostname="));
    }
  }

  /** Not at once: Metrics2 looks at a bean every ten seconds, and this one begins empty. */
  private static void assertThings(Process process, ForkedJvm.Result result) {
    assertThat(after(result, "restarted attribute"))
        .contains(
            process.beans + "Things tag.region=a",
            process.beans + "Things readCount=1",
            process.beans + "Things tag.region.1=b",
            process.beans + "Things readCount.1=2");
  }

  private static void assertScrape(Process process, List<String> lines) {
    assertThat(lines).doesNotHaveDuplicates();
    String labels = "context=\"" + process.context + "\"";
    assertOnce(lines, "fastpath_late_some_count{" + labels + ",mode=\"fast\",hostname=", "} 3");
    assertOnce(lines, "fastpath_early_get_p99_nanos{" + labels, "} 5000000");
    String things = "fastpath_things_read_count{" + labels + ",table=\"t\",region=";
    assertOnce(lines, things + "\"a\",hostname=", "} 1");
    assertOnce(lines, things + "\"b\",hostname=", "} 2");
  }

  private static void assertFile(Process process, List<String> lines) {
    String things = process.context + ".FastpathThings: Context=" + process.context + ", table=t";
    assertThat(lines)
        .anyMatch(line -> line.contains(things + ", region=a, ") && line.endsWith("readCount=1"))
        .anyMatch(line -> line.contains(things + ", region=b, ") && line.endsWith("readCount=2"));
  }

  private static void assertOnce(List<String> lines, String beginning, String end) {
    assertThat(lines)
        .filteredOn(line -> line.startsWith(beginning) && line.endsWith(end))
        .as(beginning)
        .hasSize(1);
  }

  @Test
  void aPlainClientHasAMetricsSystemOfItsOwnIfItWantsOne() throws Exception {
    ForkedJvm.Result result = probe(true, "none");
    String bean = "Hadoop:service=Client,name=";
    List<String> all =
        Stream.of("Early", "FastpathMetrics", "Late", "Things").map(bean::concat).toList();
    assertThat(beans(result, "started")).isEqualTo(all);
    assertThat(beans(result, "withdrawn")).isEqualTo(all.subList(1, all.size()));
    assertThat(beans(result, "again")).isEqualTo(all);
    assertThat(after(result, "started attribute"))
        .contains(bean + "Early tag.Context=client", bean + "Early someCount=3");
    assertThat(after(result, "error")).isEmpty();
  }

  /** It keeps its own where a program starts the default one later, and both live. */
  @Test
  void aProgramMayStartTheDefaultSystemLater() throws Exception {
    ForkedJvm.Result result = probe(true, "later", "none");
    assertThat(after(result, "again bean"))
        .contains("Hadoop:service=Client,name=Early", "Hadoop:service=Later,name=Program");
  }

  @Test
  void aPlainClientShowsNothingUntilItStartsTheDefaultSystem() throws Exception {
    ForkedJvm.Result result = probe(false, "later", "none");
    assertThat(beans(result, "started")).isEmpty();
    assertThat(after(result, "again bean"))
        .contains("Hadoop:service=Later,name=Early", "Hadoop:service=Later,name=Program")
        .noneMatch(bean -> bean.contains("service=Client"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "", "True"})
  void aWrongValueLeavesClientsOff(String value) {
    assertThat(ClientMetrics.parse(value)).isFalse();
  }

  @Test
  void namesOfHBasesOwnSourcesAreRefused() {
    int before = Metrics.errors().size();
    Metrics.source("WAL", "Of a test").register();
    assertThat(Metrics.errors().subList(before, Metrics.errors().size()))
        .singleElement()
        .asString()
        .contains("source WAL is not shown", "HBase has a source of that name");
  }
}
