package org.fastpath.offheap.reader;

import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's current time as a thread read it last, up to {@value #TICK_MILLIS} ms ago, or more if
 * that thread waits for a core. It serves callers that often check a deadline. A read of the field
 * takes 1 ns, a read of the time 25 ns. Do not use it for timestamps of cells. Thread-safe.
 *
 * <p>If the JVM cannot start the thread, the clock stands still and the log says so. So callers
 * must read the exact time now and then.
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
      // An error here would fail this scan. It would also fail all later scans, because the class
      // would stay uninitialized.
      LOG.warn(
          "The thread of the clock for scans cannot start; scans check their "
              + "deadlines less often",
          e);
    }
  }

  private CoarseClock() {}

  private static void tick() {
    while (true) {
      millis = EnvironmentEdgeManager.currentTime();
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  /** Returns milliseconds since 1970. */
  public static long millis() {
    return millis;
  }
}
