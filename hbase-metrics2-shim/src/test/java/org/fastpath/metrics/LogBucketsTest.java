package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promise that every histogram rests on: a bucket's estimate is within 1 % of its values. */
class LogBucketsTest {
  private static final int SMALL = 1 << 20;
  private static final int RANDOM = 1_000_000;

  /** The two ranges, each from its first value to the first beyond its end. */
  enum Range {
    WIDE(LogBuckets.WIDE, 0, 1L << 42),
    NARROW(LogBuckets.NARROW, 1L << 11, 1L << 36);

    final LogBuckets buckets;
    final long first;
    final long end;

    Range(LogBuckets buckets, long first, long end) {
      this.buckets = buckets;
      this.first = first;
      this.end = end;
    }
  }

  @ParameterizedTest
  @EnumSource
  void smallValues(Range range) {
    LongStream.range(range.first, range.first + SMALL).forEach(value -> check(range, value));
  }

  @ParameterizedTest
  @EnumSource
  void randomValues(Range range) {
    long seed = System.nanoTime();
    System.out.println("LogBucketsTest.randomValues " + range + " seed " + seed);
    Random random = new Random(seed);
    int bits = Long.SIZE - Long.numberOfLeadingZeros(range.end - 1);
    for (int i = 0; i < RANDOM; i++) {
      long value = range.first + (random.nextLong() >>> (Long.SIZE - 1 - random.nextInt(bits)));
      check(range, Math.min(value, range.end - 1));
    }
  }

  /** Both ends of every bucket, found by halving; between them the error is smaller. */
  @ParameterizedTest
  @EnumSource
  void boundsOfAllBuckets(Range range) {
    long least = range.first;
    int bounds = 0;
    while (least < range.end) {
      long next = firstBeyond(range, least);
      check(range, least);
      check(range, next - 1);
      assertThat(next == range.end || range.buckets.index(next) > range.buckets.index(least))
          .isTrue();
      least = next;
      bounds++;
    }
    assertThat(bounds).isBetween(range.buckets.count() - 1, range.buckets.count());
  }

  @ParameterizedTest
  @EnumSource
  void indexNeverFalls(Range range) {
    int before = 0;
    for (long value = 0; value < SMALL; value++) {
      int index = range.buckets.index(value);
      assertThat(index).isBetween(before, range.buckets.count() - 1);
      before = index;
    }
    for (double value = SMALL; value < Long.MAX_VALUE; value *= 1.0001) {
      int index = range.buckets.index((long) value);
      assertThat(index).isBetween(before, range.buckets.count() - 1);
      before = index;
    }
  }

  @Test
  void zeroIsZero() {
    assertThat(LogBuckets.WIDE.estimate(LogBuckets.WIDE.index(0))).isZero();
  }

  @Test
  void smallBytesAndCountsAreExact() {
    LongStream.range(0, 128)
        .forEach(
            value ->
                assertThat(LogBuckets.WIDE.estimate(LogBuckets.WIDE.index(value)))
                    .isEqualTo(value));
  }

  @Test
  void whatIsBelowTheRangeSharesABucket() {
    assertThat(LogBuckets.NARROW.index(0)).isZero();
    assertThat(LogBuckets.NARROW.index(Range.NARROW.first - 1)).isZero();
    assertThat(LogBuckets.NARROW.index(Range.NARROW.first)).isPositive();
    assertThat(LogBuckets.NARROW.estimate(0)).isEqualTo(1024);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsBeyondTheRangeIsTakenForItsEnd(Range range) {
    int last = range.buckets.count() - 1;
    assertThat(range.buckets.index(range.end - 1)).isEqualTo(last);
    assertThat(range.buckets.index(range.end)).isEqualTo(last);
    assertThat(range.buckets.index(Long.MAX_VALUE)).isEqualTo(last);
    assertThat(range.buckets.estimate(last)).isLessThan(range.end);
  }

  private static long firstBeyond(Range range, long least) {
    int bucket = range.buckets.index(least);
    long low = least;
    long high = Math.min(range.end, 2 * least + 1);
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (range.buckets.index(middle) == bucket) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static void check(Range range, long value) {
    long estimate = range.buckets.estimate(range.buckets.index(value));
    if (Math.abs(estimate - value) * 100 > value) {
      throw new AssertionError(value + " is shown as " + estimate);
    }
  }
}
