package org.fastpath.metrics;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A metric that is read at a snapshot: a gauge, a counter kept elsewhere, or a text. */
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

  /** Returns Returns a gauge of a number that never changes. */
  static Gauge constant(String source, MetricDefinition definition, long number) {
    return new Gauge(source, definition, () -> number, null, true);
  }

  /** Returns Returns a gauge of a text that never changes. */
  static Gauge constant(String source, MetricDefinition definition, String words) {
    return new Gauge(source, definition, null, () -> words, true);
  }

  /** Returns whether the value never changes. A constant is read without a thread. */
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
   * Returns whether an earlier snapshot still waits for its answer. The gauge is not read again
   * until it has answered.
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
          "Metrics: {}.{} {}; the snapshot omits this gauge; further cases are only counted",
          source,
          definition.name(),
          what,
          error);
    }
  }
}
