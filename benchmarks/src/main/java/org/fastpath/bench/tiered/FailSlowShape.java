package org.fastpath.bench.tiered;

import java.util.SplittableRandom;

/**
 * How a disk fails slowly, after the incidents of Gunawi et al., Fail-Slow at Scale, FAST 2018:
 * permanent slowdowns, partial stops, ones that come and go, ones that grow.
 */
enum FailSlowShape {
  HEALTHY("healthy") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      return SpeedProfile.constant(1);
    }
  },
  TENTH("10 times") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      return between(begin, end, 0.1);
    }
  },
  HUNDREDTH("100 times") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      return between(begin, end, 0.01);
    }
  },
  STUCK("stuck") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      return between(begin, end, 0);
    }
  },
  INTERMITTENT("intermittent") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      SpeedProfile profile = SpeedProfile.constant(1);
      for (long now = begin; now < end; ) {
        long slow = Math.min(end, now + random.nextLong(2 * SECOND, 20 * SECOND));
        profile = profile.then(now, 0.05).then(slow, 1);
        now = slow + random.nextLong(20 * SECOND, 120 * SECOND);
      }
      return profile;
    }
  },
  RAMPING("ramping") {
    @Override
    SpeedProfile profile(long begin, long end, SplittableRandom random) {
      SpeedProfile profile = SpeedProfile.constant(1);
      long step = (end - begin) / RAMP_STEPS;
      for (int i = 0; i < RAMP_STEPS; i++) {
        profile = profile.then(begin + i * step, Math.pow(SLOWEST, (i + 1.0) / RAMP_STEPS));
      }
      return profile.then(end, 1);
    }
  };

  private static final long SECOND = 1_000_000_000;
  private static final int RAMP_STEPS = 60;

  /** Where the ramp ends. */
  private static final double SLOWEST = 0.02;

  private final String title;

  FailSlowShape(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The speed of a disk that is slow between two points in time. */
  abstract SpeedProfile profile(long begin, long end, SplittableRandom random);

  private static SpeedProfile between(long begin, long end, double speed) {
    return SpeedProfile.constant(1).then(begin, speed).then(end, 1);
  }
}
