package org.fastpath.bench.engine.published;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.fastpath.bench.engine.published.StoryPage.Here;
import org.fastpath.bench.engine.published.StoryPage.Query;
import org.fastpath.bench.engine.published.StoryPage.Run;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Environment;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;

/** Copies the figures of a results file into the rows that query them, in the JSON of the page. */
final class Refresh {
  private static final ObjectMapper JSON = StoryPages.JSON;

  private final Results results;
  private final Run run;
  private boolean used;

  private Refresh(Results results) {
    this.results = results;
    Environment here = results.environment();
    this.run =
        new Run(
            here.date(),
            results.title(),
            here.date(),
            here.machine(),
            here.versionsLine(),
            here.command());
  }

  /** Returns the refreshed page. A row without a new measurement keeps figure, date and run. */
  static StoryPage of(StoryPage page, Results results) throws IOException {
    Refresh refresh = new Refresh(results);
    ObjectNode fresh = JSON.valueToTree(page);
    for (JsonNode section : fresh.path("sections")) {
      for (JsonNode row : section.path("rows")) {
        refresh.row((ObjectNode) row);
      }
    }
    for (JsonNode finding : fresh.path("findings")) {
      refresh.finding((ObjectNode) finding);
    }
    refresh.runs(fresh.withArray("runs"), fresh.path("sections"));
    return JSON.treeToValue(fresh, StoryPage.class);
  }

  private void row(ObjectNode row) throws IOException {
    Optional<Here> here = here(row.get("query"));
    if (here.isPresent()) {
      used = true;
      row.set("here", JSON.valueToTree(here.get()));
      if (row.path("kind").asText().equals("open")) {
        row.put("kind", "measured");
      }
    }
  }

  private void finding(ObjectNode finding) throws IOException {
    Optional<Here> here = here(finding.get("query"));
    if (here.isPresent()) {
      used = true;
      double value = here.get().value();
      boolean same =
          value >= finding.path("least").asDouble() && value <= finding.path("most").asDouble();
      finding.put("value", value).put("reproduced", same ? "yes" : "no");
    }
  }

  /** Adds the new run if the page uses it, and removes runs without a row. */
  private void runs(ArrayNode runs, JsonNode sections) {
    Map<String, JsonNode> byId = new LinkedHashMap<>();
    runs.forEach(known -> byId.put(known.path("id").asText(), known));
    if (used) {
      byId.put(run.id(), JSON.valueToTree(run));
    }
    byId.keySet().retainAll(sections.findValuesAsText("run"));
    runs.removeAll().addAll(byId.values());
  }

  private static double least(Measurement measurement) {
    return DoubleStream.of(measurement.perRound()).min().orElseThrow();
  }

  private Optional<Here> here(JsonNode node) throws IOException {
    if (node == null) {
      return Optional.empty();
    }
    Query query = JSON.treeToValue(node, Query.class);
    Optional<Measurement> found = find(query, query.variant());
    if (query.relativeTo() == null) {
      return found.map(one -> here(one.median(), least(one), one.max(), one.rounds().size()));
    }
    return find(query, query.relativeTo())
        .flatMap(base -> found.map(one -> Comparison.of(base, one)))
        .map(ratio -> here(ratio.ratio(), ratio.low(), ratio.high(), ratio.rounds()));
  }

  private Here here(double value, double low, double high, int rounds) {
    return new Here(value, low, high, rounds, run.id());
  }

  private Optional<Measurement> find(Query query, String variant) {
    return results.find(query.measurement(), variant, query.params());
  }
}
