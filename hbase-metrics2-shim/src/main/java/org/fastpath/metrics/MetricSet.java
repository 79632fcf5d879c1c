package org.fastpath.metrics;

import java.util.List;

/**
 * The metrics of one source or pseudo-source, in the order of their definition. The set is fixed at
 * registration.
 *
 * @param counters metrics that our code adds to
 * @param gauges metrics that are read at a snapshot
 * @param histograms metrics that our code records values in
 * @param rollUps sums of other histograms
 */
record MetricSet(
    List<CounterEntry> counters,
    List<Gauge> gauges,
    List<HistogramEntry> histograms,
    List<RollUpEntry> rollUps) {

  record CounterEntry(MetricDefinition definition, Counter counter) {}

  record HistogramEntry(HistogramFigures figures, Distributed histogram) {}

  record RollUpEntry(HistogramFigures figures, HistogramRollUp rollUp) {}

  /**
   * Gives all metrics to the sink.
   *
   * @param answers of a list of gauges; those of this set begin at {@code firstGauge}
   */
  void give(
      RecordSink sink, GaugeReader.Answers answers, int firstGauge, Distribution distribution) {
    for (CounterEntry entry : counters) {
      sink.counter(entry.definition, entry.counter.sum());
    }
    for (int i = 0; i < gauges.size(); i++) {
      answers.give(firstGauge + i, sink);
    }
    for (HistogramEntry entry : histograms) {
      distribution.clear(entry.histogram.buckets());
      entry.histogram.addTo(distribution);
      entry.figures.give(distribution, sink);
    }
    for (RollUpEntry entry : rollUps) {
      entry.rollUp.addTo(distribution);
      entry.figures.give(distribution, sink);
    }
  }

  void halve(int times) {
    for (HistogramEntry entry : histograms) {
      entry.histogram.halve(times);
    }
  }
}
