package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
  private static final int DRAWS = 200_000;

  private static double[] shares(Zipf zipf, int count) {
    double[] shares = new double[count];
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < DRAWS; i++) {
      shares[zipf.next(random)] += 1.0 / DRAWS;
    }
    return shares;
  }

  @Test
  void theSecondIsWantedHalfAsOftenAsTheFirst() {
    Zipf zipf = new Zipf(1000, 1);
    double[] shares = shares(zipf, 1000);

    double first = 1 / IntStream.rangeClosed(1, 1000).mapToDouble(rank -> 1.0 / rank).sum();
    assertThat(shares[zipf.item(0)]).isCloseTo(first, within(0.005));
    assertThat(shares[zipf.item(1)]).isCloseTo(first / 2, within(0.005));
    assertThat(shares[zipf.item(9)]).isCloseTo(first / 10, within(0.005));
  }

  @Test
  void everyItemHasARankAndNeighboursHaveNothingInCommon() {
    Zipf zipf = new Zipf(1000, 0.99);

    int[] items = IntStream.range(0, 1000).map(zipf::item).toArray();
    assertThat(items).doesNotHaveDuplicates();
    assertThat(IntStream.of(items).limit(20).filter(item -> item < 500).count()).isBetween(4L, 16L);
    assertThat(new Zipf(1000, 0.5).item(3)).isEqualTo(zipf.item(3));
  }

  @Test
  void exponentZeroIsEven() {
    assertThat(shares(new Zipf(10, 0), 10)).usingComparatorWithPrecision(0.01).containsOnly(0.1);
  }

  @Test
  void oneItemIsAlwaysTheOne() {
    assertThat(new Zipf(1, 0.99).next(new SplittableRandom(1))).isZero();
  }
}
