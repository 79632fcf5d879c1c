package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done about an overload: it is said, once in a while, and writes are throttled if that is
 * wanted. Thread-safe: it may be closed while another thread updates it.
 */
final class Overload {
  private static final Logger LOG = LoggerFactory.getLogger(Overload.class);

  private final long repeatNanos;
  private final WriteThrottle throttle;
  private long allowed;
  private boolean refused;
  private boolean closed;
  private boolean said;
  private boolean announced;
  private long lastSaid;

  /**
   * A calm state.
   *
   * @param throttle null if writes are never throttled
   */
  Overload(GuardOptions options, WriteThrottle throttle) {
    repeatNanos = TimeUnit.SECONDS.toNanos(options.repeatSeconds());
    this.throttle = throttle;
  }

  /** Bytes a second that writes are throttled to, 0 if they are not. */
  synchronized long allowed() {
    return allowed;
  }

  /**
   * Does what the state asks for.
   *
   * @param warn called when it is time to warn, with what writes are throttled to
   */
  synchronized void update(LoadState state, long nanos, LongConsumer warn) {
    if (closed) {
      return;
    }
    pace(state);
    if (state.overloaded() && (!said || nanos - lastSaid >= repeatNanos)) {
      warn.accept(allowed);
      said = true;
      announced = true;
      lastSaid = nanos;
    } else if (!state.overloaded() && announced) {
      LOG.info("Flushes take what comes in again");
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
    } else if (!state.overloaded() && allowed > 0) {
      lift();
    }
  }

  /** Whether writes are throttled to that now. */
  private boolean limitTo(long limit) {
    try {
      if (throttle.limit(limit)) {
        refused = false;
        return true;
      }
      refused("there is a quota of RegionServers, or quotas are not served yet", null);
    } catch (RuntimeException | LinkageError e) {
      refused("HBase takes no quota", e);
    }
    return false;
  }

  private void refused(String why, Throwable e) {
    if (!refused) {
      LOG.warn("Writes are not throttled: {}", why, e);
    }
    refused = true;
  }

  /** Ends what was done; nothing is done about an overload from now on. */
  synchronized void close() {
    closed = true;
    lift();
  }

  private void lift() {
    if (throttle != null && allowed > 0) {
      throttle.lift();
      allowed = 0;
    }
  }
}
