package org.fastpath.metrics;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that is asked at a snapshot: a gauge, a counter that somebody else keeps, a text. */
final class Gauge {
  private static final Logger LOG = LoggerFactory.getLogger(Gauge.class);

  private final String source;
  private final MetricDefinition definition;
  private final LongSupplier number;
  private final Supplier<String> words;
  private volatile boolean stuck;
  private volatile boolean logged;

  private Gauge(
      String source, MetricDefinition definition, LongSupplier number, Supplier<String> words) {
    this.source = source;
    this.definition = definition;
    this.number = number;
    this.words = words;
  }

  static Gauge number(String source, MetricDefinition definition, LongSupplier number) {
    return new Gauge(source, definition, number, null);
  }

  static Gauge text(String source, MetricDefinition definition, Supplier<String> words) {
    return new Gauge(source, definition, null, words);
  }

  MetricDefinition definition() {
    return definition;
  }

  boolean isText() {
    return words != null;
  }

  long askNumber() {
    return number.getAsLong();
  }

  String askText() {
    return String.valueOf(words.get());
  }

  /** Whether it has not answered an earlier snapshot yet; it is not asked again until it has. */
  boolean isStuck() {
    return stuck;
  }

  void tookTooLong(long limitMillis) {
    stuck = true;
    logOnce("did not answer within " + limitMillis + " ms", null);
  }

  void answered() {
    stuck = false;
  }

  void failed(Throwable error) {
    logOnce("threw", error);
  }

  private void logOnce(String what, Throwable error) {
    if (!logged) {
      logged = true;
      LOG.warn(
          "Metrics: {}.{} {} and is left out; further cases are counted only",
          source,
          definition.name(),
          what,
          error);
    }
  }
}
