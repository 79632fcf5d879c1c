package org.fastpath.metrics;

import java.util.List;

/** A source with metrics of its own. */
final class Source implements PublishedSource {
  private final String name;
  private final String description;
  private final Definitions definitions;
  private final MetricSet metrics;
  private final Minutes minutes = new Minutes(System::nanoTime);

  Source(String name, String description, Definitions definitions, MetricSet metrics) {
    this.name = name;
    this.description = description;
    this.definitions = definitions;
    this.metrics = metrics;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public List<String> tags() {
    return List.of();
  }

  @Override
  public List<MetricDefinition> definitions() {
    return definitions.inOrder();
  }

  @Override
  public void notShown(String why) {
    Metrics.notShown(this, why);
  }

  @Override
  public void snapshot(RecordSink sink) {
    GaugeReader.Answers answers = GaugeReader.ask(metrics.gauges());
    sink.record(List.of(), List.of());
    metrics.give(sink, answers, 0, new Distribution());
    int passed = minutes.passed();
    if (passed > 0) {
      metrics.halve(passed);
    }
  }
}
