package org.fastpath.regionserver.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Tests the page with MBeans of the test. */
class FastpathPageTest {
  private static final String ATTACK =
      "<script>alert(\"1\")</script><img src=x onerror='alert(2)'>";
  private static final long NOW = 1_700_000_000_000L;
  private static final long STEP = History.PERIOD.toMillis();

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final History history = new History(new Beans(server));

  @Test
  void aFeatureIsShownWithWhyItIsNotOn() throws JMException {
    FakeBean.feature(server, "cache", "ACTIVE", "");
    FakeBean.feature(server, "pinning", "FALLEN_BACK", "the pool is not there");
    String page = render();
    assertThat(page)
        .contains("<span class=\"state active\">active</span>")
        .contains("<span class=\"state fallen_back\">fallen back</span>")
        .contains("the pool is not there");
    assertThat(page.indexOf("cache")).isLessThan(page.indexOf("pinning"));
  }

  @Test
  void nothingThatABeanSaysIsMarkup() throws Exception {
    FakeBean.at(server, "org.fastpath:type=Feature,name=x")
        .with("Feature", ATTACK)
        .with("Module", ATTACK)
        .with("Version", ATTACK)
        .with("State", "\" onmouseover=\"alert(3)")
        .with("Reason", ATTACK);
    FakeBean.source(server, "OffHeapCache").with("hitCount", 1L).with("missCount", 2L);
    FakeBean.source(server, "OffHeapCacheTables")
        .with("tag.namespace", ATTACK)
        .with("tag.table", ATTACK)
        .with("cachedBytes", 5L);
    FakeBean.source(server, "HdfsCacheTables")
        .with("tag.namespace", "default")
        .with("tag.table", "</td>" + ATTACK)
        .with("pinnedBytes", 5L);
    FakeBean.source(server, "TierTables")
        .with("tag.storageType", ATTACK)
        .with("fileCount", 1)
        .with("replicaBytes", 1L);
    history.add(Sample.of(history.beans(), NOW - STEP), 1);
    history.add(Sample.of(history.beans(), NOW), 1);
    String page = FastpathPage.render(history, ATTACK, ATTACK, NOW);
    assertThat(page).doesNotContain("<script", "<img", "onmouseover=\"");
    Document document = parse(page);
    assertThat(tags(document))
        .containsKeys("svg", "table", "figure")
        .doesNotContainKeys("script", "img", "link", "iframe", "object");
    assertThat(attributes(document)).noneMatch(name -> name.startsWith("on"));
    assertThat(document.getElementsByTagName("h1").item(0).getTextContent()).contains(ATTACK);
  }

  @Test
  void nothingComesFromElsewhere() throws Exception {
    fill(20);
    String page = render();
    assertThat(page).doesNotContain("http://", "https://", "@import", "url(");
    NodeList links = parse(page).getElementsByTagName("a");
    for (int i = 0; i < links.getLength(); i++) {
      assertThat(((Element) links.item(i)).getAttribute("href"))
          .startsWith("/")
          .doesNotStartWith("//");
    }
  }

  @Test
  void withoutAnyBeanThereIsAPage() throws Exception {
    history.sample();
    history.sample();
    assertThat(tags(parse(render()))).containsEntry("figure", 4);
    assertThat(FastpathPage.render(new History(new Beans(server)), "", "", NOW))
        .contains("Charts appear after a minute");
  }

  /** Metrics that an operator can look up, except those of HBase. */
  @Test
  void eachMetricThatIsAskedForIsOnThePageOfMetrics() throws Exception {
    Set<String> asked = new TreeSet<>();
    MBeanServer recording =
        (MBeanServer)
            Proxy.newProxyInstance(
                MBeanServer.class.getClassLoader(),
                new Class<?>[] {MBeanServer.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("getAttributes")) {
                    String source = ((ObjectName) arguments[0]).getKeyProperty("sub");
                    for (String name : (String[]) arguments[1]) {
                      asked.add(source + " " + name);
                    }
                    return new AttributeList();
                  }
                  return method.getName().equals("queryNames") ? Set.of() : null;
                });
    History asking = new History(new Beans(recording));
    asking.sample();
    FastpathPage.render(asking, "", "", NOW);
    String documented = Files.readString(Path.of("..", "docs", "operate", "metrics.md"));
    assertThat(asked)
        .filteredOn(metric -> !metric.startsWith("Server "))
        .hasSizeGreaterThan(20)
        .allSatisfy(metric -> assertThat(documented).contains("`" + metric.split(" ")[1] + "`"));
  }

  @Test
  void oneMissingMetricLeavesTheOthers() throws JMException {
    FakeBean.source(server, "HdfsCachePins").with("pinnedFileCount", 17L);
    assertThat(render()).contains("17");
  }

  @Test
  void theAxisOfAnEmptyChartHasEachLabelOnce() {
    for (double greatest : new double[] {0, 3, 5, 1000, 5000}) {
      Scale scale = Scale.bytes(greatest);
      List<String> labels = new ArrayList<>();
      for (int quarter = 0; quarter <= 4; quarter++) {
        labels.add(scale.label().apply(scale.top() * quarter / 4));
      }
      assertThat(labels).doesNotHaveDuplicates();
      assertThat(scale.top()).isGreaterThanOrEqualTo(greatest);
    }
  }

  @Test
  void recordsOfASourceAreApart() throws JMException {
    FakeBean.source(server, "OffHeapCacheTables")
        .with("tag.namespace", "default")
        .with("tag.table", "a")
        .with("cachedBytes", 1L)
        .with("tag.namespace.1", "other")
        .with("tag.table.1", "b")
        .with("cachedBytes.1", 2L);
    List<Beans.Record> records = history.beans().records("OffHeapCacheTables");
    assertThat(records).extracting(Beans.Record::table).containsExactly("a", "other:b");
    assertThat(records).extracting(one -> one.number("cachedBytes")).containsExactly(1L, 2L);
    assertThat(history.beans().records("NoSuchSource")).isEmpty();
  }

  @Test
  void aSampleNamesTheLargestTablesOnly() throws JMException {
    FakeBean tables = FakeBean.source(server, "OffHeapCacheTables");
    for (int i = 0; i < 1000; i++) {
      tables.with("tag.table." + i, "t" + i).with("cachedBytes." + i, (long) i);
    }
    Map<String, Long> bytes = Sample.of(history.beans(), NOW).tableBytes();
    assertThat(bytes).hasSize(17).containsEntry("t999", 999L).doesNotContainKey("t983");
    assertThat(bytes.get(Sample.OTHERS)).isEqualTo(983L * 984 / 2);
  }

  @Test
  void theRingIsBounded() {
    fill(History.MAX_SAMPLES + 50);
    assertThat(history.samples()).hasSize(History.MAX_SAMPLES);
    assertThat(history.samples().get(History.MAX_SAMPLES - 1).millis()).isEqualTo(NOW);
  }

  @Test
  void gapsAreNotDrawn() {
    history.add(sample(NOW - 3 * STEP, 10, 10), 1);
    history.add(sample(NOW - 2 * STEP, Sample.ABSENT, Sample.ABSENT), 1);
    history.add(sample(NOW - STEP, 30, 10), 1);
    history.add(sample(NOW, 70, 20), 1);
    assertThat(render()).contains("off-heap cache <b>80 %</b>").doesNotContain("NaN");
  }

  @Test
  void theCostOfSamplesIsKnown() throws JMException {
    FakeBean tables = FakeBean.source(server, "OffHeapCacheTables");
    for (int i = 0; i < 300; i++) {
      tables.with("tag.table." + i, "t" + i).with("cachedBytes." + i, (long) i);
    }
    for (int i = 0; i < 500; i++) {
      history.sample();
    }
    History.Cost cost = history.cost();
    System.out.printf(
        "%d samples of 300 tables: %.3f ms of CPU time each, %.5f %% of one core%n",
        cost.takenCount(), cost.cpuNanos() / 1e6 / cost.takenCount(), cost.percentOfCore());
    assertThat(cost.takenCount()).isEqualTo(500);
    assertThat(render()).contains("of CPU time on average");
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      history.add(sample(NOW - (count - 1 - i) * STEP, 10L * i, i), 1);
    }
  }

  private static Sample sample(long millis, long hits, long misses) {
    return new Sample(millis, hits, misses, hits, misses, Map.of("t", 5L, "u", 7L), 1, 2, 3, 4, 5);
  }

  private String render() {
    return FastpathPage.render(history, "host,16020", "", NOW);
  }

  /** Our markup is well-formed but for two elements that HTML does not close. */
  private static Document parse(String page) throws Exception {
    String xml = page.replaceAll("(<meta[^>]*)>", "$1/>").replace("<!DOCTYPE html>", "");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static Map<String, Integer> tags(Document document) {
    Map<String, Integer> tags = new TreeMap<>();
    NodeList all = document.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      tags.merge(((Element) all.item(i)).getTagName(), 1, Integer::sum);
    }
    return tags;
  }

  private static List<String> attributes(Document document) {
    List<String> names = new ArrayList<>();
    NodeList all = document.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      for (int j = 0; j < all.item(i).getAttributes().getLength(); j++) {
        names.add(all.item(i).getAttributes().item(j).getNodeName());
      }
    }
    return names;
  }
}
