package org.fastpath.bench.simulators.volumes;

import java.util.Arrays;

/**
 * The speed of a disk over time, as a part of its nominal speed. It is constant between points in
 * time. Immutable.
 */
final class SpeedProfile {
  /** A time later than all others. */
  static final long NEVER = Long.MAX_VALUE / 2;

  private final long[] begins;
  private final double[] speeds;

  private SpeedProfile(long[] begins, double[] speeds) {
    this.begins = begins;
    this.speeds = speeds;
  }

  /** Returns a constant speed. */
  static SpeedProfile constant(double speed) {
    return new SpeedProfile(new long[1], new double[] {speed});
  }

  /** Changes the speed from a point in time on, which is not before the last one. */
  SpeedProfile then(long nanos, double speed) {
    int length = begins.length;
    long[] laterBegins = Arrays.copyOf(begins, length + 1);
    double[] laterSpeeds = Arrays.copyOf(speeds, length + 1);
    laterBegins[length] = nanos;
    laterSpeeds[length] = speed;
    return new SpeedProfile(laterBegins, laterSpeeds);
  }

  /**
   * Returns the end of work that begins now.
   *
   * @param work nanoseconds at full speed
   * @return {@link #NEVER} if the disk is stuck forever
   */
  long finish(long beginNanos, double work) {
    double left = work;
    long now = beginNanos;
    for (int i = segment(beginNanos); i < begins.length; i++) {
      long end = i + 1 < begins.length ? begins[i + 1] : NEVER;
      double possible = (end - now) * speeds[i];
      if (possible >= left) {
        return now + (long) (left / speeds[i]);
      }
      left -= possible;
      now = end;
    }
    return NEVER;
  }

  private int segment(long nanos) {
    int found = Arrays.binarySearch(begins, nanos);
    return found >= 0 ? found : -found - 2;
  }
}
