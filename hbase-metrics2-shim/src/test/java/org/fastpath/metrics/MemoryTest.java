package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** Measures the memory sizes that the classes' javadoc states. */
class MemoryTest {
  /** Object headers, fields and the padding of objects. */
  private static final int OBJECTS = 96;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private final Counter count = new StripedLongs().counter(0);
  private final Counter total = new StripedLongs().counter(0);

  private static long bytes(Object... roots) {
    return GraphLayout.parseInstance(roots).totalSize();
  }

  private long withoutSums(Histogram histogram) {
    return bytes(histogram, count, total) - bytes(count, total);
  }

  @Test
  void stripedLongs() {
    assertThat(bytes(new StripedLongs()))
        .isLessThanOrEqualTo((ThreadSlots.COUNT + 8 + 2) * 128 + OBJECTS);
    assertThat((64 + 8 + 2) * 128 + OBJECTS).isLessThanOrEqualTo(9_600);
    assertThat((256 + 8 + 2) * 128 + OBJECTS).isLessThanOrEqualTo(34_200);
  }

  @Test
  void counterOfASourceIsAnEighth() {
    StripedLongs longs = new StripedLongs();
    Object[] counters = new Object[StripedLongs.WIDTH];
    for (int i = 0; i < counters.length; i++) {
      counters[i] = longs.counter(i);
    }
    assertThat(bytes(counters) / counters.length).isBetween(1_000L, 4_400L);
  }

  @Test
  void compactLongs() {
    int stripes = ThreadSlots.powerOfTwo(PROCESSORS, 1, 4);
    assertThat(bytes(new CompactLongs())).isLessThanOrEqualTo(stripes * 128 + OBJECTS);
  }

  @Test
  void stripedHistogram() {
    int stripes = ThreadSlots.powerOfTwo(2 * PROCESSORS, 2, 16);
    Histogram histogram = new StripedHistogram(count, total);
    assertThat(withoutSums(histogram)).isLessThanOrEqualTo(stripes * 6_520 + OBJECTS);
  }

  @Test
  void compactHistogram() {
    Histogram histogram = new CompactHistogram(count, total);
    histogram.record(1_000_000, 10_000);
    assertThat(withoutSums(histogram)).isLessThanOrEqualTo(2_048);
    histogram.record(1_000_000, 10_000);
    assertThat(withoutSums(histogram)).isBetween(2_049L, 4_096L);
  }
}
