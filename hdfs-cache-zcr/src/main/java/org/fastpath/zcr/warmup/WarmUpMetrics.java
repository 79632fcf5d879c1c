package org.fastpath.zcr.warmup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/** What warming up took, as the source {@code ReadWarmUp}. Safe from any thread. */
final class WarmUpMetrics {
  private static final AtomicLong MILLIS = new AtomicLong();
  private static final Counter REQUESTS;
  private static final Counter FAILURES;

  static {
    SourceBuilder builder =
        Metrics.source(
            "ReadWarmUp", "Reads before the server had regions, so that code is compiled");
    builder.gauge("warmUpMillis", "How long they held up the start", MILLIS::get);
    REQUESTS = builder.counter("requestCount", "Requests that were answered");
    FAILURES = builder.counter("failureCount", "Warm-ups that failed or were given up");
    builder.register();
  }

  private WarmUpMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // Its static initializer has done so.
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

  // What tests ask.

  static long requests() {
    return REQUESTS.sum();
  }

  static long failures() {
    return FAILURES.sum();
  }
}
