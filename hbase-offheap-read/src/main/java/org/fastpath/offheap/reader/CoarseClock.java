package org.fastpath.offheap.reader;

import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * HBase's time, as one thread has read it last: up to {@value #TICK_MILLIS} ms ago, more where that
 * thread waits for a core. For who asks again and again whether it is late, where to read a field
 * takes a nanosecond and to ask for the time 25. Not for timestamps of cells. Safe from any thread.
 */
public final class CoarseClock {
  private static final long TICK_MILLIS = 10;
  private static final long TICK_NANOS = TICK_MILLIS * 1_000_000;

  private static volatile long millis = EnvironmentEdgeManager.currentTime();

  static {
    Thread thread = new Thread(CoarseClock::tick, "fastpath-coarse-clock");
    thread.setDaemon(true);
    thread.start();
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
