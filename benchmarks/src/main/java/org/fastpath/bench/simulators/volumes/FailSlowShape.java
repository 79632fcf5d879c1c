package org.fastpath.bench.simulators.volumes;

import java.util.SplittableRandom;

/**
 * The ways in which a disk becomes fail-slow, after the incidents of Gunawi et al., Fail-Slow at
 * Scale, FAST 2018. They are permanent slowdowns, partial stops, intermittent ones, and growing
 * ones.
 */
enum FailSlowShape {
  HEALTHY("healthy", 1),
  TENTH("10 times", 0.1),
  HUNDREDTH("100 times", 0.01),
  STUCK("stuck", 0),
  INTERMITTENT("intermittent", 0.05) {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      SpeedProfile profile = SpeedProfile.constant(1);
      for (long now = begin; now < end; ) {
        long slow = Math.min(end, now + random.nextLong(2 * SECOND, 20 * SECOND));
        profile = profile.then(now, speed).then(slow, 1);
        now = slow + random.nextLong(20 * SECOND, 120 * SECOND);
      }
      return profile;
    }
  },
  RAMPING("ramping", 0.02) {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      SpeedProfile profile = SpeedProfile.constant(1);
      long step = (end - begin) / RAMP_STEPS;
      for (int i = 0; i < RAMP_STEPS; i++) {
        profile = profile.then(begin + i * step, Math.pow(speed, (i + 1.0) / RAMP_STEPS));
      }
      return profile.then(end, 1);
    }
  };

  private static final long SECOND = 1_000_000_000;
  private static final int RAMP_STEPS = 60;

  final String title;

  /** The lowest speed, as a part of the full one. */
  final double speed;

  FailSlowShape(String title, double speed) {
    this.title = title;
    this.speed = speed;
  }

  /** Returns the speed of a disk that is slow between two points in time. */
  SpeedProfile profile(long begin, long end, SplittableRandom random) {
    return SpeedProfile.constant(1).then(begin, speed).then(end, 1);
  }
}
