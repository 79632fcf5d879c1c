package org.fastpath.offheap.inline;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * Counts inline reads in the metrics source {@code InlineReads}, shown from the start of the
 * scheduler on. Thread-safe.
 */
final class InlineMetrics {
  /** The counts of one kind of requests. */
  enum Kind {
    GETS("", "Gets"),
    SCANS("Scan", "Requests of scans");

    private Counter answered;
    private Counter misses;
    private Counter limits;
    private final String name;
    private final String what;

    Kind(String name, String what) {
      this.name = name;
      this.what = what;
    }

    private void addTo(SourceBuilder builder) {
      answered =
          builder.counter("answered" + name + "Count", what + " that the event loop answered");
      misses =
          builder.counter(
              "miss" + name + "Count",
              what + " that handlers answered because a block was not in memory");
      limits =
          builder.counter(
              "limit" + name + "Count",
              what + " that handlers answered because the rows exceed a limit");
    }

    void answered() {
      answered.increment();
    }

    void missed() {
      misses.increment();
    }

    void exceeded() {
      limits.increment();
    }
  }

  private static final Counter FAILURES;

  static {
    SourceBuilder builder =
        Metrics.source("InlineReads", "Gets and scans that the event loop of a connection answers");
    for (Kind kind : Kind.values()) {
      kind.addTo(builder);
    }
    FAILURES =
        builder.counter(
            "failureCount",
            "Requests that ended with an error; the first one disables inline reads");
    builder.register();
  }

  private InlineMetrics() {}

  /** Shows the source, once in a process. */
  static void register() {
    // The static initializer registers the source.
  }

  static void failed() {
    FAILURES.increment();
  }
}
