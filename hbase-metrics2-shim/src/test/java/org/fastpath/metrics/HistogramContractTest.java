package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of both histograms. Quantiles are checked against the sorted values. */
class HistogramContractTest {
  private static final double[] SHARES = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.999};
  private static final int[] SIZES = {1, 2, 10, 1_000, 300_000};

  /** In the range of the compact histogram, the narrower one. */
  private static final long MIN = 1 << 11;

  private static final long MAX = (1L << 36) - 1;
  private static final long VALUE = 123_456;
  private static final int THREADS = 8;

  /** The implementations. */
  enum Kind {
    STRIPED(longs -> new StripedHistogram(longs.counter(0), longs.counter(1))),
    COMPACT(longs -> new CompactHistogram(longs.counter(0), longs.counter(1)));

    private final Function<StripedLongs, Distributed> make;

    Kind(Function<StripedLongs, Distributed> make) {
      this.make = make;
    }

    Distributed make() {
      return make.apply(new StripedLongs());
    }
  }

  /** How values are distributed. */
  enum Skew {
    PARETO {
      @Override
      double next(Random random) {
        return 10_000 * Math.pow(1 - random.nextDouble(), -1 / 1.1);
      }
    },
    LOG_NORMAL {
      @Override
      double next(Random random) {
        return Math.exp(12 + 1.5 * random.nextGaussian());
      }
    },
    BIMODAL {
      @Override
      double next(Random random) {
        double middle = random.nextInt(8) == 0 ? 8_000_000 : 50_000;
        return middle * (1 + 0.1 * random.nextGaussian());
      }
    },
    CONSTANT {
      @Override
      double next(Random random) {
        return VALUE;
      }
    },
    /** Nearly all in one bucket, which outgrows the low part of the compact histogram. */
    HEAVY_BUCKET {
      @Override
      double next(Random random) {
        return random.nextInt(50) == 0 ? PARETO.next(random) : 40_000;
      }
    },
    EXPONENTIAL {
      @Override
      double next(Random random) {
        return -300_000 * Math.log(1 - random.nextDouble());
      }
    };

    abstract double next(Random random);

    long[] values(int size, Random random) {
      return LongStream.generate(() -> (long) Math.min(Math.max(MIN, next(random)), MAX))
          .limit(size)
          .toArray();
    }
  }

  static Stream<Arguments> kindsAndSkews() {
    return Arrays.stream(Kind.values())
        .flatMap(kind -> Arrays.stream(Skew.values()).map(skew -> Arguments.of(kind, skew)));
  }

  private static Random random(String test) {
    long seed = System.nanoTime();
    System.out.println("HistogramContractTest." + test + " seed " + seed);
    return new Random(seed);
  }

  private static Distribution read(Distributed histogram) {
    Distribution distribution = new Distribution();
    distribution.clear(histogram.buckets());
    histogram.addTo(distribution);
    return distribution;
  }

  private static void assertWithin(long percent, long shown, long exact, String what) {
    assertThat(Math.abs(shown - exact) * 100)
        .as("%s is %d and shown as %d", what, exact, shown)
        .isLessThanOrEqualTo(exact * percent);
  }

  private static long exact(long[] sorted, double share) {
    return sorted[Math.max(1, (int) Math.ceil(share * sorted.length)) - 1];
  }

  @ParameterizedTest
  @MethodSource("kindsAndSkews")
  void figuresAgreeWithTheSortedValues(Kind kind, Skew skew) {
    Random random = random("figures " + kind + " " + skew);
    for (int size : SIZES) {
      long[] values = skew.values(size, random);
      Distributed histogram = kind.make();
      Arrays.stream(values).forEach(histogram::record);
      Arrays.sort(values);
      Distribution distribution = read(histogram);
      for (double share : SHARES) {
        String what = "quantile " + share + " of " + size;
        assertWithin(1, distribution.quantile(share), exact(values, share), what);
      }
      long total = Arrays.stream(values).sum();
      assertThat(distribution.max()).isEqualTo(values[size - 1]);
      assertThat(distribution.count()).isEqualTo(size);
      assertThat(distribution.weight()).isEqualTo(size);
      assertThat(distribution.total()).isEqualTo(total);
      assertThat(distribution.mean()).isEqualTo(Math.round((double) total / size));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingRecordedIsZero(Kind kind) {
    Distribution distribution = read(kind.make());
    assertThat(distribution.quantile(0.5)).isZero();
    assertThat(distribution.max()).isZero();
    assertThat(distribution.mean()).isZero();
    assertThat(distribution.count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void negativeCountsAsZero(Kind kind) {
    Distributed histogram = kind.make();
    histogram.record(-5);
    histogram.record(Long.MIN_VALUE);
    Distribution distribution = read(histogram);
    assertThat(distribution.count()).isEqualTo(2);
    assertThat(distribution.total()).isZero();
    assertThat(distribution.max()).isZero();
    assertThat(distribution.quantile(0.5)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void beyondTheRangeGreatestTotalAndCountAreStillExact(Kind kind) {
    Distributed histogram = kind.make();
    long beyond = 1L << 50;
    histogram.record(beyond);
    Distribution distribution = read(histogram);
    assertThat(distribution.max()).isEqualTo(beyond);
    assertThat(distribution.total()).isEqualTo(beyond);
    assertThat(distribution.quantile(0.5)).isLessThanOrEqualTo(beyond).isGreaterThan(1L << 35);
  }

  @ParameterizedTest
  @EnumSource
  void manyAtOnceAreAsManyOneByOne(Kind kind) {
    for (int times : new int[] {1, 2, 63, 64, 65, 100, 16_383, 16_384, 16_385, 1_000_000}) {
      Distributed histogram = kind.make();
      histogram.record(VALUE, times);
      histogram.record(2 * VALUE);
      Distribution distribution = read(histogram);
      assertThat(distribution.weight()).isEqualTo(times + 1);
      assertThat(distribution.count()).isEqualTo(times + 1);
      assertThat(distribution.total()).isEqualTo(VALUE * times + 2 * VALUE);
      assertWithin(1, distribution.quantile(0.5), VALUE, "median of " + times);
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndSkews")
  void halvingTakesHalfAndLeavesTheQuantiles(Kind kind, Skew skew) {
    long[] values = skew.values(300_000, random("halving " + kind + " " + skew));
    Distributed histogram = kind.make();
    Arrays.stream(values).forEach(histogram::record);
    Arrays.sort(values);
    for (int halvings = 1; halvings <= 4; halvings++) {
      histogram.halve(1);
      Distribution distribution = read(histogram);
      assertWithin(1, distribution.weight(), values.length >> halvings, "weight");
      for (double share : new double[] {0.5, 0.75, 0.9, 0.95}) {
        assertWithin(3, distribution.quantile(share), exact(values, share), "quantile " + share);
      }
      assertWithin(10, distribution.quantile(0.99), exact(values, 0.99), "quantile 0.99");
      assertThat(distribution.quantile(0.999)).isLessThanOrEqualTo(distribution.max());
      assertThat(distribution.count()).isEqualTo(values.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void halvingDoesNotEmptyASparseTail(Kind kind) {
    Distributed histogram = kind.make();
    int values = 0;
    for (double value = MIN; value < MAX; value *= 1.025) {
      histogram.record((long) value);
      values++;
    }
    histogram.halve(1);
    assertThat(read(histogram).weight()).isBetween(values / 4L, 3L * values / 4);
  }

  @ParameterizedTest
  @EnumSource
  void quantilesOfAnIdleHistogramStayUntilTheirWeightIsGone(Kind kind) {
    Distributed histogram = kind.make();
    histogram.record(VALUE, 10_000);
    for (int minute = 0; minute < 5; minute++) {
      histogram.halve(1);
    }
    Distribution idle = read(histogram);
    assertWithin(1, idle.quantile(0.5), VALUE, "median");
    assertWithin(1, idle.max(), VALUE, "greatest");
    histogram.halve(Integer.SIZE);
    assertThat(read(histogram).quantile(0.5)).isZero();
    assertThat(read(histogram).max()).isZero();
  }

  /** Compares one bucket with a number: no carry of the compact histogram is lost or doubled. */
  @ParameterizedTest
  @EnumSource
  void additionsAndHalvingsOfABucketAgreeWithANumber(Kind kind) {
    Random random = random("bucket " + kind);
    Distributed histogram = kind.make();
    long expected = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(5) > 0) {
        int times = 1 + random.nextInt(1 << random.nextInt(16));
        histogram.record(VALUE, times);
        expected += times;
        assertThat(read(histogram).weight()).isEqualTo(expected);
      } else {
        int times = 1 + random.nextInt(3);
        histogram.halve(times);
        long left = read(histogram).weight();
        assertThat(left).isBetween(expected >> times, (expected >> times) + 1);
        expected = left;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void threadsWithLargeCountsInOneBucketLoseNothing(Kind kind) throws InterruptedException {
    Random random = random("threads " + kind);
    Distributed histogram = kind.make();
    AtomicLong expected = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long seed = random.nextLong();
      threads.add(new Thread(() -> expected.addAndGet(recordMany(histogram, new Random(seed)))));
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Distribution distribution = read(histogram);
    assertThat(distribution.weight()).isEqualTo(expected.get());
    assertThat(distribution.count()).isEqualTo(expected.get());
    assertThat(distribution.total()).isEqualTo(expected.get() * VALUE);
  }

  private static long recordMany(Histogram histogram, Random random) {
    return IntStream.range(0, 50_000)
        .map(i -> 1 + random.nextInt(200))
        .peek(times -> histogram.record(VALUE, times))
        .asLongStream()
        .sum();
  }

  /** A snapshot at any moment shows the only value there is, also while buckets are halved. */
  @ParameterizedTest
  @EnumSource
  void snapshotsAndHalvingsDuringRecordingSeeTheValue(Kind kind) throws InterruptedException {
    Distributed histogram = kind.make();
    histogram.record(VALUE, 50_000);
    AtomicBoolean ended = new AtomicBoolean();
    Thread recorder =
        new Thread(
            () -> {
              recordMany(histogram, new Random(1));
              ended.set(true);
            });
    recorder.start();
    long count = 0;
    for (int i = 0; !ended.get(); i++) {
      Distribution distribution = read(histogram);
      assertWithin(1, distribution.quantile(0.5), VALUE, "median");
      assertWithin(1, distribution.max(), VALUE, "greatest");
      assertThat(distribution.count()).isGreaterThanOrEqualTo(count);
      count = distribution.count();
      if (i % 100 == 0) {
        histogram.halve(1);
      }
    }
    recorder.join();
    assertThat(read(histogram).weight()).isPositive().isLessThanOrEqualTo(histogram.count());
  }

  /** Nobody takes snapshots for a long time, so nothing is halved but by recording. */
  @ParameterizedTest
  @EnumSource
  void whatNobodyReadsDoesNotWrap(Kind kind) {
    Distributed histogram = kind.make();
    int times = 1 << 26;
    for (int i = 0; i < 1000; i++) {
      histogram.record(VALUE, times);
      histogram.record(10 * VALUE, times);
      histogram.record(10 * VALUE, times);
      Distribution distribution = read(histogram);
      assertThat(distribution.weight()).isPositive();
      assertWithin(1, distribution.quantile(0.1), VALUE, "quantile 0.1");
      assertWithin(1, distribution.quantile(0.9), 10 * VALUE, "quantile 0.9");
    }
    assertThat(histogram.count()).isEqualTo(3000L * times);
  }
}
