package org.fastpath.offheap.inline;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Counts inline reads, as the source {@code InlineReads}, shown from the start of the scheduler on.
 * Safe from any thread.
 */
final class InlineMetrics {
  private static final Counter ANSWERED;
  private static final Counter MISSES;
  private static final Counter LIMITS;
  private static final Counter FAILURES;

  static {
    SourceBuilder builder =
        Metrics.source("InlineReads", "Gets that the event loop of a connection answers");
    ANSWERED = builder.counter("answeredCount", "Gets that the event loop answered");
    MISSES =
        builder.counter(
            "missCount", "Gets that handlers answered because a block was not in memory");
    LIMITS =
        builder.counter(
            "limitCount", "Gets that handlers answered because the row exceeds a limit");
    FAILURES =
        builder.counter(
            "failureCount",
            "Gets that ended with an error; the first one switches inline reads off");
    builder.register();
  }

  private InlineMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // Its static initializer has done so.
  }

  static void answered() {
    ANSWERED.increment();
  }

  static void missed() {
    MISSES.increment();
  }

  static void exceeded() {
    LIMITS.increment();
  }

  static void failed() {
    FAILURES.increment();
  }
}
