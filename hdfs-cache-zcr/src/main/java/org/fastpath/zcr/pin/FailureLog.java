package org.fastpath.zcr.pin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts failures and logs the first one of each kind. Thread-safe. */
final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(PinService.class);

  private final PinMetrics metrics;
  private String last = "";

  FailureLog(PinMetrics metrics) {
    this.metrics = metrics;
  }

  /** Reports a failure. */
  synchronized void failed(String what, Throwable why) {
    metrics.failed();
    // The text of a failed call contains its number and time, so texts differ.
    boolean call = why instanceof NotCoordinatorException;
    String corruption = what + (call ? why.getClass() : why);
    if (corruption.equals(last)) {
      LOG.debug(what, why);
      return;
    }
    last = corruption;
    if (why instanceof CachePoolException || why instanceof NotCoordinatorException) {
      LOG.warn("{}: {}", what, why.getMessage());
    } else {
      LOG.warn("{}; further cases are only counted", what, why);
    }
  }

  /** Reports success: the next failure is logged again. */
  synchronized void succeeded() {
    last = "";
  }
}
