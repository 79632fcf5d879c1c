package org.fastpath.bench.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

/** All sides of a benchmark give the same answers. */
class StoryBenchmarksTest {
  private static final int SIZE = 67;
  private static final int SPLIT = SIZE / 2;
  private static final long SEED = 7;

  private static Stream<String> values(Class<?> benchmark, String param) {
    try {
      Field field = benchmark.getField(param);
      return Arrays.stream(field.getAnnotation(Param.class).value());
    } catch (NoSuchFieldException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Stream<String> memories() {
    return values(BufferReadBenchmark.class, "memory")
        .filter(
            side -> !side.equals("memory-segment") || Runtime.version().feature() >= Foreign.SINCE);
  }

  private static Stream<String> comparisons() {
    return values(CompareBenchmark.class, "comparison");
  }

  @ParameterizedTest
  @MethodSource("memories")
  void everyMemoryReadsWhatWasWrittenAlsoAcrossItsParts(String side) {
    byte[] bytes = new byte[SIZE];
    new Random(SEED).nextBytes(bytes);
    ByteBuffer expected = ByteBuffer.wrap(bytes);
    Memory memory = Memories.of(side, bytes);

    for (int at : new int[] {0, 1, SPLIT - 1, SPLIT, SIZE - Long.BYTES}) {
      assertThat(memory.longAt(at)).as("long at %s", at).isEqualTo(expected.getLong(at));
      assertThat(memory.intAt(at)).as("int at %s", at).isEqualTo(expected.getInt(at));
      assertThat(memory.shortAt(at)).as("short at %s", at).isEqualTo(expected.getShort(at));
      assertThat(memory.byteAt(at)).as("byte at %s", at).isEqualTo(expected.get(at));
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void allMethodsOfTheBenchmarkReadTheSame(String side) {
    BufferReadBenchmark reference = benchmark("nio-heap");
    BufferReadBenchmark benchmark = benchmark(side);

    assertThat(benchmark.record()).isEqualTo(reference.record());
    assertThat(benchmark.longs()).isEqualTo(reference.longs());
    assertThat(benchmark.ints()).isEqualTo(reference.ints());
    assertThat(benchmark.bytes()).isEqualTo(reference.bytes());
  }

  private static BufferReadBenchmark benchmark(String side) {
    BufferReadBenchmark benchmark = new BufferReadBenchmark();
    benchmark.memory = side;
    benchmark.setUp();
    return benchmark;
  }

  @Test
  @EnabledForJreRange(maxVersion = Foreign.SINCE - 1)
  void anOlderJavaSaysThatItHasNoMemorySegment() {
    assertThatThrownBy(() -> Memories.of("memory-segment", new byte[SIZE]))
        .isInstanceOf(ExceptionInInitializerError.class)
        .hasRootCauseInstanceOf(ReflectiveOperationException.class);
  }

  @ParameterizedTest
  @MethodSource("comparisons")
  void everyComparisonIsUnsigned(String side) {
    Random random = new Random(SEED);
    for (int i = 0; i < 200; i++) {
      byte[] left = new byte[random.nextInt(SIZE)];
      random.nextBytes(left);
      byte[] right = left.clone();
      if (left.length > 0 && random.nextBoolean()) {
        right[random.nextInt(left.length)] = (byte) random.nextInt();
      }

      assertThat(Integer.signum(Comparisons.of(side, left, right).getAsInt()))
          .isEqualTo(Integer.signum(Bytes.compareTo(left, right)));
    }
  }

  @ParameterizedTest
  @CsvSource({"array", "buffer", "mixed"})
  void allWaysToFindTheBytesOrderRowsAlike(String cells) {
    RowComparisons.RowComparison none = RowComparisons.of("none", cells);
    RowComparisons.RowComparison byClass = RowComparisons.of("abstract-class", cells);
    RowComparisons.RowComparison byInterface = RowComparisons.of("interface", cells);
    int unequal = 0;
    for (int pair = 0; pair < CellPairs.PAIRS; pair++) {
      int expected = Integer.signum(none.compare(pair));

      assertThat(Integer.signum(byClass.compare(pair))).isEqualTo(expected);
      assertThat(Integer.signum(byInterface.compare(pair))).isEqualTo(expected);
      unequal += expected == 0 ? 0 : 1;
    }
    assertThat(unequal).isGreaterThan(CellPairs.PAIRS / 2);
  }

  @Test
  void mixedCellsAreOfFourClassesOnBothSides() {
    CellPairs pairs = new CellPairs("mixed", true);

    assertThat(Arrays.stream(pairs.left).map(Object::getClass).distinct()).hasSize(4);
    assertThat(Arrays.stream(pairs.right).map(Object::getClass).distinct()).hasSize(4);
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertThatThrownBy(() -> Memories.of("tape", new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tape");
    assertThatThrownBy(() -> Comparisons.of("scales", new byte[1], new byte[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("scales");
  }
}
