package org.fastpath.metrics.region;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the failures of our hooks and hides them from HBase. HBase would fail the request and, by
 * default, abort the RegionServer. Each failure is counted; the first one is logged.
 */
final class FailedHooks {
  private static final Logger LOG = LoggerFactory.getLogger(FailedHooks.class);
  private static final AtomicLong COUNT = new AtomicLong();

  private FailedHooks() {}

  static void add(Throwable error) {
    if (COUNT.getAndIncrement() == 0) {
      try {
        LOG.warn(
            "Region metrics: a hook failed and HBase goes on; further cases are only counted",
            error);
      } catch (OutOfMemoryError e) {
        // There is no memory for a warning either.
      }
    }
  }

  static long count() {
    return COUNT.get();
  }
}
