package org.fastpath.metrics;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that is asked at a snapshot: a gauge, a counter that somebody else keeps, a text. */
final class Gauge {
  private static final Logger LOG = LoggerFactory.getLogger(Gauge.class);
  private static final AtomicReferenceFieldUpdater<Gauge, Object> STUCK_WITH =
      AtomicReferenceFieldUpdater.newUpdater(Gauge.class, Object.class, "stuckWith");

  private final String source;
  private final MetricDefinition definition;
  private final LongSupplier number;
  private final Supplier<String> words;
  private final boolean constant;
  private volatile Object stuckWith;
  private volatile boolean logged;

  private Gauge(
      String source,
      MetricDefinition definition,
      LongSupplier number,
      Supplier<String> words,
      boolean constant) {
    this.source = source;
    this.definition = definition;
    this.number = number;
    this.words = words;
    this.constant = constant;
  }

  static Gauge number(String source, MetricDefinition definition, LongSupplier number) {
    return new Gauge(source, definition, number, null, false);
  }

  static Gauge text(String source, MetricDefinition definition, Supplier<String> words) {
    return new Gauge(source, definition, null, words, false);
  }

  /** A number that never changes. */
  static Gauge constant(String source, MetricDefinition definition, long number) {
    return new Gauge(source, definition, () -> number, null, true);
  }

  /** A text that never changes. */
  static Gauge constant(String source, MetricDefinition definition, String words) {
    return new Gauge(source, definition, null, () -> words, true);
  }

  /** Whether the value never changes, so that no thread is needed to ask for it. */
  boolean isConstant() {
    return constant;
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

  /**
   * Whether it has not answered somebody else yet, who asked for an earlier snapshot; it is not
   * asked again until it has.
   */
  boolean isStuckWithAnother(Object asker) {
    Object other = stuckWith;
    return other != null && other != asker;
  }

  void tookTooLong(Object asker, long limitMillis) {
    STUCK_WITH.compareAndSet(this, null, asker);
    logOnce("did not answer within " + limitMillis + " ms", null);
  }

  void answered(Object asker) {
    STUCK_WITH.compareAndSet(this, asker, null);
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
