package org.fastpath.zcr.warmup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/** The metrics source {@code ReadWarmUp}. Thread-safe. */
final class WarmUpMetrics {
  private static final AtomicLong MILLIS = new AtomicLong();
  private static final Counter REQUESTS;
  private static final Counter FAILURES;

  static {
    SourceBuilder builder =
        Metrics.source("ReadWarmUp", "Reads before the server has regions, to compile code");
    builder.gauge("warmUpMillis", "Delay of the start by these reads", MILLIS::get);
    REQUESTS = builder.counter("requestCount", "Requests that were answered");
    FAILURES = builder.counter("failureCount", "Warm-ups that failed or were ended early");
    builder.register();
  }

  private WarmUpMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // The static initializer registers the source.
  }

  static void answered() {
    REQUESTS.increment();
  }

  static void took(Duration time) {
    MILLIS.set(time.toMillis());
  }

  static void failed() {
    FAILURES.increment();
  }

  // Methods for tests.

  static long requests() {
    return REQUESTS.sum();
  }

  static long failures() {
    return FAILURES.sum();
  }
}
