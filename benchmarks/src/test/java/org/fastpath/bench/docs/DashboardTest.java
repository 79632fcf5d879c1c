package org.fastpath.bench.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The dashboard is a valid document, and the check of its queries finds mistakes. */
class DashboardTest {
  /** The schema version of Grafana 12. */
  private static final int SCHEMA = 42;

  private static final int COLUMNS = 24;

  private static final String SKETCH =
      """
      {"templating": {"list": [
        {"name": "table", "type": "query",
         "query": {"query": "label_values(gets_count{job=\\"j\\"}, table)"}},
        {"name": "top", "type": "custom", "query": "5,10"}]},
       "panels": [
        {"type": "row", "panels": [{"title": "p", "type": "timeseries", "targets": [
          {"expr": "%s", "legendFormat": "%s"}]}]}]}
      """;

  private static final List<Series> SERIES =
      List.of(
          new Series("gets_count", Map.of("job", "j", "table", "a.b")),
          new Series("gets_count", Map.of("job", "j", "table", "c")),
          new Series("puts_count", Map.of("job", "j", "table", "d")));

  private static List<String> problems(String expression, String legend) throws IOException {
    return Dashboard.of(SKETCH.formatted(expression.replace("\"", "\\\""), legend))
        .problems(SERIES);
  }

  @Test
  void aQueryThatSelectsSeriesIsRight() throws IOException {
    assertThat(
            problems(
                "topk($top, sum by (table) (rate(gets_count{table=~\"$table\"}[$__rate_interval])))",
                "{{table}}"))
        .isEmpty();
  }

  @Test
  void aMisspeltMetricIsNoticed() throws IOException {
    assertThat(problems("sum(rate(get_count[1m]))", ""))
        .containsExactly("panel \"p\": nothing has __name__=\"get_count\"");
  }

  @Test
  void aMisspeltLabelIsNoticed() throws IOException {
    assertThat(problems("gets_count{tabel=\"c\"}", ""))
        .containsExactly("panel \"p\": nothing has tabel=\"c\"");
    assertThat(problems("sum by (tabel) (gets_count)", ""))
        .containsExactly("panel \"p\": groups by tabel, a label that nothing has");
    assertThat(problems("gets_count", "{{tabel}}"))
        .containsExactly("panel \"p\": names a line by tabel, a label that nothing has");
    assertThat(problems("sum by (job) (gets_count)", "{{table}}"))
        .containsExactly("panel \"p\": names a line by table, which the grouping drops");
  }

  @Test
  void conditionsThatNothingMeetsTogetherAreNoticed() throws IOException {
    // The variable only has the tables of gets_count.
    assertThat(problems("puts_count{table=~\"$table\"}", ""))
        .singleElement()
        .asString()
        .startsWith("panel \"p\": nothing is selected by");
  }

  @Test
  void anUnknownVariableIsNoticed() throws IOException {
    assertThat(problems("gets_count{table=~\"$tables\"}", ""))
        .containsExactly("panel \"p\": there is no variable tables");
  }

  @Test
  void theDashboardIsOfGrafanasSchema() throws IOException {
    Dashboard dashboard = Dashboard.read(Repository.DASHBOARD);

    assertThat(dashboard.json().path("schemaVersion").asInt()).isEqualTo(SCHEMA);
    assertThat(dashboard.json().path("title").asText()).isNotBlank();
    assertThat(dashboard.json().path("uid").asText()).matches("[a-zA-Z0-9_-]{1,40}");
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.json().path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("id of %s", panel.path("title")).isTrue();
      assertThat(panel.path("title").asText()).isNotBlank();
    }
    assertThat(dashboard.panels()).isNotEmpty().allSatisfy(DashboardTest::isPanel);
  }

  private static void isPanel(JsonNode panel) {
    assertThat(panel.path("type").asText()).isIn("timeseries", "stat");
    assertThat(panel.path("description").asText()).isNotBlank();
    assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
    assertThat(panel.at("/fieldConfig/defaults/unit").asText())
        .isIn("Bps", "bytes", "short", "ns", "ops");
    assertThat(panel.path("targets")).isNotEmpty();
    Set<String> references = new HashSet<>();
    for (JsonNode target : panel.path("targets")) {
      assertThat(references.add(target.path("refId").asText())).isTrue();
      assertThat(target.path("expr").asText()).isNotBlank();
      assertThat(target.path("legendFormat").asText()).isNotBlank();
      assertThat(target.at("/datasource/type").asText()).isEqualTo("prometheus");
    }
  }

  @Test
  void noPanelLiesOnAnother() throws IOException {
    List<JsonNode> places = new ArrayList<>();
    Dashboard.read(Repository.DASHBOARD)
        .json()
        .path("panels")
        .forEach(panel -> places.add(panel.path("gridPos")));
    for (JsonNode place : places) {
      assertThat(x(place) + place.path("w").asInt()).isLessThanOrEqualTo(COLUMNS);
      assertThat(places).filteredOn(other -> other != place).noneMatch(other -> meet(place, other));
    }
  }

  private static boolean meet(JsonNode one, JsonNode other) {
    return x(one) < x(other) + other.path("w").asInt()
        && x(other) < x(one) + one.path("w").asInt()
        && y(one) < y(other) + other.path("h").asInt()
        && y(other) < y(one) + one.path("h").asInt();
  }

  private static int x(JsonNode place) {
    return place.path("x").asInt();
  }

  private static int y(JsonNode place) {
    return place.path("y").asInt();
  }
}
