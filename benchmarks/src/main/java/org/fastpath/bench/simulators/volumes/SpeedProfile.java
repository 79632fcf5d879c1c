package org.fastpath.bench.simulators.volumes;

import java.util.Arrays;

/**
 * How fast a disk is over time, as a share of what it was made for: constant between points in
 * time. Immutable.
 */
final class SpeedProfile {
  /** Later than everything. */
  static final long NEVER = Long.MAX_VALUE / 2;

  private final long[] begins;
  private final double[] speeds;

  private SpeedProfile(long[] begins, double[] speeds) {
    this.begins = begins;
    this.speeds = speeds;
  }

  /** Always the same. */
  static SpeedProfile constant(double speed) {
    return new SpeedProfile(new long[1], new double[] {speed});
  }

  /** Another speed from a point in time on, which is not before the last one given. */
  SpeedProfile then(long nanos, double speed) {
    int length = begins.length;
    long[] laterBegins = Arrays.copyOf(begins, length + 1);
    double[] laterSpeeds = Arrays.copyOf(speeds, length + 1);
    laterBegins[length] = nanos;
    laterSpeeds[length] = speed;
    return new SpeedProfile(laterBegins, laterSpeeds);
  }

  /**
   * When work is done that is begun now.
   *
   * @param work nanoseconds that it takes at full speed
   * @return {@link #NEVER} if the disk is stuck for ever
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
