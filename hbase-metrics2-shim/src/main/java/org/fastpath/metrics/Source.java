package org.fastpath.metrics;

import java.util.List;

/** A source with metrics of its own. */
final class Source extends NamedSource {
  private final MetricSet metrics;

  Source(String name, String description, Definitions definitions, MetricSet metrics) {
    super(name, description, List.of(), definitions);
    this.metrics = metrics;
  }

  @Override
  public void snapshot(RecordSink sink) {
    GaugeReader.Answers answers = GaugeReader.ask(metrics.gauges());
    sink.record(List.of(), List.of());
    metrics.give(sink, answers, 0, new Distribution());
    int passed = minutesPassed();
    if (passed > 0) {
      metrics.halve(passed);
    }
  }
}
