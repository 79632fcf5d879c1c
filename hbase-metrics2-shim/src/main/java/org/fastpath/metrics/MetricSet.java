package org.fastpath.metrics;

import java.util.List;

/**
 * The metrics of one source or pseudo-source, fixed when it was registered, in the order in which
 * they were named.
 *
 * @param counters what is added to
 * @param gauges what is asked
 * @param histograms what is recorded in
 * @param rollUps what is computed from others' histograms
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
   * Gives it all.
   *
   * @param answers of a list of gauges that has this set's from {@code firstGauge} on
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
