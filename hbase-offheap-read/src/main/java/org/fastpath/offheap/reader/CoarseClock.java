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
 * <p>The thread rests while nobody reads the clock. Ticks of 10 ms took 6 % of a RegionServer's
 * samples in a run of writes. The first reader after a rest reads the exact time.
 *
 * <p>If the JVM cannot start the thread, the clock stands still and the log says so. So callers
 * must read the exact time now and then.
 */
public final class CoarseClock {
  private static final Logger LOG = LoggerFactory.getLogger(CoarseClock.class);
  private static final long TICK_MILLIS = 20;
  private static final long TICK_NANOS = TICK_MILLIS * 1_000_000;
  private static final int TICKS_TO_A_REST = 50;

  /** The longest stop, if an error ends a reader before it has woken the thread. */
  private static final long REST_NANOS = TICKS_TO_A_REST * TICK_NANOS;

  private static final Thread THREAD = new Thread(CoarseClock::run, "fastpath-coarse-clock");

  private static volatile long millis = EnvironmentEdgeManager.currentTime();
  private static volatile boolean resting;

  /** Whether the clock was read since the last tick. Readers write it at most once per tick. */
  private static volatile boolean read;

  static {
    THREAD.setDaemon(true);
    try {
      THREAD.start();
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

  private static void run() {
    while (true) {
      tickWhileRead();
      resting = true;
      while (resting) {
        LockSupport.parkNanos(REST_NANOS);
      }
    }
  }

  private static void tickWhileRead() {
    for (int unread = 0; unread < TICKS_TO_A_REST; unread++) {
      millis = EnvironmentEdgeManager.currentTime();
      LockSupport.parkNanos(TICK_NANOS);
      if (read) {
        read = false;
        unread = 0;
      }
    }
  }

  /** Returns milliseconds since 1970. */
  public static long millis() {
    // The thread may have begun to rest just after the clock was read.
    if (resting || !read) {
      begin();
    }
    return millis;
  }

  private static void begin() {
    read = true;
    if (resting) {
      millis = EnvironmentEdgeManager.currentTime();
      resting = false;
      LockSupport.unpark(THREAD);
    }
  }

  /** Returns whether the thread rests. */
  static boolean isResting() {
    return resting;
  }
}
