package org.fastpath.bench.simulators.volumes;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The speed of a disk over time, as a part of its nominal speed. It is constant between points in
 * time.
 *
 * @param speeds the speed from each point in time on, in nanoseconds
 */
record SpeedProfile(NavigableMap<Long, Double> speeds) {
  /** A time later than all others. */
  static final long NEVER = Long.MAX_VALUE / 2;

  /** Returns a constant speed. */
  static SpeedProfile constant(double speed) {
    return new SpeedProfile(new TreeMap<>(Map.of(0L, speed)));
  }

  /** Changes the speed from a point in time on, which is not before the last one. */
  SpeedProfile then(long nanos, double speed) {
    NavigableMap<Long, Double> later = new TreeMap<>(speeds);
    later.put(nanos, speed);
    return new SpeedProfile(later);
  }

  /** Returns the end of work, in nanoseconds at full speed; {@link #NEVER} for a stuck disk. */
  long finish(long beginNanos, double work) {
    double left = work;
    long now = beginNanos;
    while (now < NEVER) {
      double speed = speeds.floorEntry(now).getValue();
      Long next = speeds.higherKey(now);
      long end = next == null ? NEVER : next;
      double possible = (end - now) * speed;
      if (possible >= left) {
        return now + (long) (left / speed);
      }
      left -= possible;
      now = end;
    }
    return NEVER;
  }
}
