package org.fastpath.metrics.region;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what goes wrong in a hook of ours, which HBase must not see: it would fail the request and,
 * as it is configured by default, abort the RegionServer. Counted always, logged once.
 */
final class FailedHooks {
  private static final Logger LOG = LoggerFactory.getLogger(FailedHooks.class);
  private static final AtomicLong COUNT = new AtomicLong();

  private FailedHooks() {}

  static void add(Throwable error) {
    if (COUNT.getAndIncrement() == 0) {
      LOG.warn("Region metrics: a hook failed; HBase goes on, further cases are counted", error);
    }
  }

  static long count() {
    return COUNT.get();
  }
}
