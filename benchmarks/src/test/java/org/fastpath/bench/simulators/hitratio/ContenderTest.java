package org.fastpath.bench.simulators.hitratio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContenderTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Contender.class)
  void aCacheThatHoldsAllMissesEachBlockOnce(Contender contender) {
    int[] reads = new int[10_000];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = i % 100;
    }
    assertThat(contender.hitRatio(trace(reads, 100), 10_000, 0)).isEqualTo(99);
    assertThat(contender.hitRatio(trace(reads, 100), 10_000, 100)).isEqualTo(100);
  }

  @ParameterizedTest
  @EnumSource(Contender.class)
  void nobodyBeatsTheOptimum(Contender contender) {
    for (Trace trace : new Traces(20_000, 3).all(0.01)) {
      if (!trace.name().contains("scans") && !trace.name().contains("sizes")) {
        assertThat(contender.hitRatio(trace, 1_000, 0))
            .as(trace.name())
            .isLessThanOrEqualTo(Contender.BELADY.hitRatio(trace, 1_000, 0));
      }
    }
  }

  @Test
  void lruAndBeladyByHand() {
    Trace trace = trace(new int[] {0, 1, 2, 0, 1, 2}, 3);
    assertThat(Contender.LRU.hitRatio(trace, 2, 0)).isZero();
    assertThat(Contender.BELADY.hitRatio(trace, 2, 0)).isEqualTo(100.0 * 2 / 6);
  }

  @Test
  void sieveKeepsWhatWasRead() {
    Trace trace = trace(new int[] {0, 1, 0, 2, 0, 3, 0}, 4);
    assertThat(Contender.SIEVE.hitRatio(trace, 2, 0)).isEqualTo(100.0 * 3 / 7);
  }

  @Test
  void readsOfAScanDoNotCount() {
    BitSet scans = new BitSet();
    scans.set(0);
    Trace trace = new Trace("", new int[] {0, 0}, scans, new int[] {1});
    assertThat(Contender.LRU.hitRatio(trace, 1, 0)).isEqualTo(100);
  }

  @Test
  void aRecordedTrace() throws IOException {
    Path file = directory.resolve("trace");
    Files.writeString(
        file, "# file offset length\n7 0 65536\n7 65536 1000 scan\n8 0 10\n7 0 65536\n");
    Trace trace = TraceFile.read(file);
    assertThat(trace.reads()).containsExactly(0, 1, 2, 0);
    assertThat(trace.lengths()).containsExactly(65_536, 1_000, 10);
    assertThat(trace.counts(1)).isFalse();
    assertThat(trace.counts(2)).isTrue();
  }

  @Test
  void aLineThatIsNoneIsNamed() throws IOException {
    Path file = directory.resolve("trace");
    Files.writeString(file, "7 0 10\n7 0\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TraceFile.read(file))
        .withMessageContaining(file + ":2");
  }

  private static Trace trace(int[] reads, int blocks) {
    int[] lengths = new int[blocks];
    Arrays.fill(lengths, 1);
    return new Trace("", reads, new BitSet(), lengths);
  }
}
