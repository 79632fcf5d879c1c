package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.regionserver.StoreFileHistory.Writer;
import org.junit.jupiter.api.Test;

class StoreFileHistoriesTest {
  private static final int MILLION = 1_000_000;
  private static final Path FILE = new Path("/file");

  private final AtomicInteger opened = new AtomicInteger();
  private final StoreFileHistories histories =
      new StoreFileHistories(this::read, CallBudget.unlimited());

  private StoreFileHistory read(Path file) throws IOException {
    int number = opened.incrementAndGet();
    if (number % 100_000 == 0) {
      throw new IOException("a file that cannot be read");
    }
    Writer writer = Writer.values()[number % Writer.values().length];
    return new StoreFileHistory(writer, number % 7 == 0 ? Long.MAX_VALUE : number);
  }

  @Test
  void aMillionFilesAreOpenedOnce() throws IOException {
    for (int round = 0; round < 3; round++) {
      for (long inode = 1; inode <= MILLION; inode++) {
        assertThat(histories.of(16_384 + inode, FILE).isEmpty()).isEqualTo(inode % 100_000 == 0);
      }
    }
    assertThat(opened).hasValue(MILLION);
    StoreFileHistory last = histories.of(16_384 + MILLION - 2, FILE).orElseThrow();
    assertThat(last.newestMillis()).isEqualTo(MILLION - 2);
    assertThat(last.writer()).isEqualTo(Writer.values()[(MILLION - 2) % Writer.values().length]);
    assertThat(histories.of(16_384 + 7, FILE).orElseThrow().newestMillis())
        .isEqualTo(Long.MAX_VALUE);
  }

  /** A file of an encryption zone cannot be read while its key server is away. */
  @Test
  void aFileThatCannotBeReadIsTriedOnceAGeneration() throws IOException {
    opened.set(99_999);
    assertThat(histories.of(1, FILE)).isEmpty();
    assertThat(histories.of(1, FILE)).isEmpty();
    histories.beginGeneration();
    assertThat(histories.of(1, FILE)).isPresent();
    histories.beginGeneration();
    assertThat(histories.of(1, FILE)).isPresent();
    assertThat(opened).hasValue(100_001);
  }

  @Test
  void whatWasNotAskedForInAGenerationIsForgotten() throws IOException {
    histories.of(1, FILE);
    histories.of(2, FILE);
    histories.beginGeneration();
    histories.of(1, FILE);
    histories.beginGeneration();
    histories.of(1, FILE);
    assertThat(opened).hasValue(2);
    histories.of(2, FILE);
    assertThat(opened).hasValue(3);
  }
}
