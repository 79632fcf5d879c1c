package org.fastpath.zcr.pin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what fails, the first time that it fails so, and counts it. Thread-safe. */
final class Complaints {
  private static final Logger LOG = LoggerFactory.getLogger(PinService.class);

  private final PinMetrics metrics;
  private String last = "";

  Complaints(PinMetrics metrics) {
    this.metrics = metrics;
  }

  /** Something failed. */
  synchronized void about(String what, Throwable why) {
    metrics.failed();
    // The text of a failed call has its number and time, which differ each time.
    boolean call = why instanceof NotCoordinatorException;
    String complaint = what + (call ? why.getClass() : why);
    if (complaint.equals(last)) {
      LOG.debug(what, why);
      return;
    }
    last = complaint;
    if (why instanceof CachePoolException || why instanceof NotCoordinatorException) {
      LOG.warn("{}: {}", what, why.getMessage());
    } else {
      LOG.warn("{}; more of the kind are counted only", what, why);
    }
  }

  /** All went well: the next failure is logged again. */
  synchronized void none() {
    last = "";
  }
}
