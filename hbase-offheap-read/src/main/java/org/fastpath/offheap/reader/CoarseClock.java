package org.fastpath.offheap.reader;

import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's time, as one thread has read it last: up to {@value #TICK_MILLIS} ms ago, more where that
 * thread waits for a core. For who asks again and again whether it is late, where to read a field
 * takes a nanosecond and to ask for the time 25. Not for timestamps of cells. Safe from any thread.
 *
 * <p>Where the JVM has no thread for it the clock stands still, and the log says so: who asks has
 * to look at the time itself now and then.
 */
public final class CoarseClock {
  private static final Logger LOG = LoggerFactory.getLogger(CoarseClock.class);
  private static final long TICK_MILLIS = 10;
  private static final long TICK_NANOS = TICK_MILLIS * 1_000_000;

  private static volatile long millis = EnvironmentEdgeManager.currentTime();

  static {
    Thread thread = new Thread(CoarseClock::tick, "fastpath-coarse-clock");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      // Thrown out of here it would fail this scan and, as the class would be lost, all others.
      LOG.warn("No thread for the clock of scans: they look at the time themselves, less often", e);
    }
  }

  private CoarseClock() {}

  private static void tick() {
    while (true) {
      millis = EnvironmentEdgeManager.currentTime();
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  /** Milliseconds since 1970. */
  public static long millis() {
    return millis;
  }
}
