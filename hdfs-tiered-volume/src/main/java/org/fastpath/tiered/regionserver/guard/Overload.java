package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reacts to an overload: warns at intervals, and throttles writes if configured. Thread-safe: it
 * may be closed while another thread updates it.
 */
final class Overload {
  private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

  private final long repeatNanos;
  private final WriteThrottle throttle;
  private long allowed;

  /** Whether the throttle may be in force, also after a call of it that failed. */
  private boolean imposed;

  private boolean refused;
  private boolean closed;
  private boolean reported;
  private boolean announced;
  private long lastReported;

  /**
   * Makes a state without overload.
   *
   * @param throttle null if writes are never throttled
   */
  Overload(GuardOptions options, WriteThrottle throttle) {
    repeatNanos = TimeUnit.SECONDS.toNanos(options.repeatSeconds());
    this.throttle = throttle;
  }

  /** Returns the bytes a second to which writes are throttled; 0 if they are not. */
  synchronized long allowed() {
    return allowed;
  }

  /**
   * Reacts to a state.
   *
   * @param warn called for a due warning, with the rate to which writes are throttled
   */
  synchronized void update(LoadState state, long nanos, LongConsumer warn) {
    if (closed) {
      return;
    }
    pace(state);
    if (state.overloaded() && (!reported || nanos - lastReported >= repeatNanos)) {
      warn.accept(allowed);
      reported = true;
      announced = true;
      lastReported = nanos;
    } else if (!state.overloaded() && announced) {
      LOG.info("The overload has ended: flushes keep up with writes again");
      announced = false;
    }
  }

  private void pace(LoadState state) {
    if (throttle == null) {
      return;
    }
    if (state.overloaded() && state.capacity() > 0) {
      long limit = WritePace.limit(state);
      allowed = limitTo(limit) ? limit : 0;
    } else if (!state.overloaded() && imposed) {
      lift();
    }
  }

  /** Sets the limit. Returns whether writes are throttled to it now. */
  private boolean limitTo(long limit) {
    try {
      if (throttle.limit(limit)) {
        imposed = true;
        refused = false;
        return true;
      }
      refused("there is a quota of RegionServers, or quotas are not served yet", null);
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      imposed = true;
      refused("HBase accepts no quota", e);
    }
    return false;
  }

  private void refused(String why, Throwable e) {
    if (!refused) {
      LOG.warn("Writes are not throttled: {}", why, e);
    }
    refused = true;
  }

  /** Removes the throttle. Later updates have no effect. */
  synchronized void close() {
    closed = true;
    lift();
  }

  private void lift() {
    if (throttle != null && imposed) {
      throttle.lift();
      imposed = false;
      allowed = 0;
    }
  }
}
