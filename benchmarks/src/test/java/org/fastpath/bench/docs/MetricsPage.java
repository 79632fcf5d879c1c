package org.fastpath.bench.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.fastpath.metrics.MetricDefinition;
import org.fastpath.metrics.MetricDefinition.Kind;
import org.fastpath.metrics.PublishedSource;
import org.fastpath.metrics.hadoop.HadoopNames;

/** Writes {@code docs/operate/metrics.md}: every metric of every module, as registered. */
final class MetricsPage {
  /** The command that updates the page. */
  static final String COMMAND = "bin/fastpath metrics-page";

  private static final String INTRODUCTION =
      """
      # Metrics

      Written by `%s` from the metrics that modules register. Run it again instead of editing this file.

      - A name ends with its unit. Counters only grow since the process started. Gauges go up and down.
      - Of a histogram, `…Count`, `…Total…` and `…Mean…` are of all values since the start. `…Max…` and the quantiles `…P50…` to `…P999…` (99.9 %%) are of the recent past and within 1 %%.
      - A label is a text: a tag of the record, an attribute `tag.NAME` in JMX, a label of the other metrics in Prometheus.
      - A source with tags has a record for each thing. In Prometheus and in sinks the tags are labels. In JMX the attributes of the second record end with `.1`. Each record also has the tags `Context` and `Hostname`.

      [How to read them](../features/region-metrics.md#how-to-read-them) has more.
      """;

  private static final String HBASE_HEADING = "HBase `/prometheus`";
  private static final String HADOOP_HEADING = "Hadoop `/prom`";

  private MetricsPage() {}

  /**
   * A part of the page.
   *
   * @param module the module of these sources
   * @param places the processes that show them
   * @param sources in the order of the page
   */
  record Section(String module, Set<Place> places, List<PublishedSource> sources) {}

  static String markdown(List<Section> sections) {
    StringBuilder text = new StringBuilder(INTRODUCTION.formatted(COMMAND));
    String module = "";
    for (Section section : sections) {
      if (!section.module.equals(module)) {
        module = section.module;
        text.append("\n## ").append(module).append('\n');
      }
      section.sources.forEach(source -> text.append(source(source, section.places)));
    }
    return text.toString();
  }

  private static String source(PublishedSource source, Set<Place> places) {
    StringBuilder text = new StringBuilder();
    text.append("\n### ").append(source.name()).append("\n\n");
    text.append(source.description()).append(".\n\n");
    text.append("| | |\n|---|---|\n");
    for (Place place : Place.values()) {
      if (places.contains(place)) {
        text.append(row("bean, " + place.label(), code(place.bean(source.name()))));
      }
    }
    text.append(row("record", code(HadoopNames.record(source.name()))));
    text.append(row("tags", tags(source.tags())));
    text.append('\n').append(table(source, places));
    return text.toString();
  }

  private static String tags(List<String> tags) {
    return tags.isEmpty()
        ? "none"
        : tags.stream().map(MetricsPage::code).collect(Collectors.joining(", "));
  }

  /**
   * Returns the table with a column for each page of Prometheus that has the source; clients have
   * none.
   */
  private static String table(PublishedSource source, Set<Place> places) {
    boolean hbase = places.contains(Place.REGION_SERVER) || places.contains(Place.MASTER);
    boolean hadoop = places.contains(Place.DATA_NODE);
    List<String> headings = new ArrayList<>(List.of("metric", "kind", "what"));
    if (hbase) {
      headings.add(HBASE_HEADING);
    }
    if (hadoop) {
      headings.add(HADOOP_HEADING);
    }
    StringBuilder text = new StringBuilder(row(headings));
    text.append("|---".repeat(headings.size())).append("|\n");
    String record = HadoopNames.record(source.name());
    for (MetricDefinition metric : source.definitions()) {
      List<String> cells = new ArrayList<>();
      cells.add(code(metric.name()));
      cells.add(kind(metric.kind()));
      cells.add(metric.description());
      if (hbase) {
        cells.add(code(hbaseName(record, metric)));
      }
      if (hadoop) {
        cells.add(code(hadoopName(record, metric)));
      }
      text.append(row(cells));
    }
    return text.toString();
  }

  private static String kind(Kind kind) {
    return switch (kind) {
      case COUNTER -> "counter";
      case GAUGE -> "gauge";
      case TEXT -> "label";
    };
  }

  private static String hbaseName(String record, MetricDefinition metric) {
    return metric.kind() == Kind.TEXT
        ? PrometheusNames.label(metric.name())
        : PrometheusNames.hbase(record, metric.name());
  }

  private static String hadoopName(String record, MetricDefinition metric) {
    return metric.kind() == Kind.TEXT
        ? PrometheusNames.label(metric.name())
        : PrometheusNames.hadoop(record, metric.name());
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static String row(String... cells) {
    return row(List.of(cells));
  }

  private static String row(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
