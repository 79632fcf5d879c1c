package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.Test;

class PrefetchPassTest {
  private static final int NEXT_SIZE = 4000;

  static void prefetch(Runnable work) throws InterruptedException {
    Thread prefetch = new Thread(work, "hfile-prefetch-1");
    prefetch.start();
    prefetch.join();
  }

  @Test
  void aPrefetchThatKnowsTheSizeOfABlockReadsIt() throws InterruptedException {
    List<Boolean> skipped = new ArrayList<>();
    prefetch(
        () -> {
          skipped.add(PrefetchPass.maySkip("a", 0, true));
          skipped.add(PrefetchPass.maySkip("a", 10, false));
          skipped.add(PrefetchPass.maySkip("a", 20, true));
          // Another file, and the first one from its begin.
          skipped.add(PrefetchPass.maySkip("b", 30, true));
          skipped.add(PrefetchPass.maySkip("a", 0, true));
          skipped.add(PrefetchPass.maySkip("a", 10, true));
        });
    assertThat(skipped).containsExactly(true, false, false, true, true, true);
  }

  @Test
  void aBlockForgetsTheSizeOfACachedBlock() throws InterruptedException {
    HFileBlock block = block();
    long next = 10 + block.getOnDiskSizeWithHeader();
    List<Boolean> skipped = new ArrayList<>();
    prefetch(
        () -> {
          skipped.add(PrefetchPass.maySkip("a", 10, false));
          PrefetchPass.wasRead(block, (file, offset) -> file.equals("a") && offset == next);
          skipped.add(PrefetchPass.maySkip("a", next, true));
          skipped.add(PrefetchPass.maySkip("a", next + 10, false));
          skipped.add(PrefetchPass.maySkip("a", next + 20, true));
        });
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(-1);
    assertThat(skipped).containsExactly(false, true, false, false);
  }

  @Test
  void aBlockKeepsTheSizeOfABlockThatIsReadNext() throws InterruptedException {
    HFileBlock block = block();
    prefetch(
        () -> {
          PrefetchPass.maySkip("a", 10, false);
          PrefetchPass.wasRead(block, (file, offset) -> false);
        });
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(NEXT_SIZE);
  }

  @Test
  void aBlockOfAnotherThreadForgetsNothing() {
    HFileBlock block = block();
    PrefetchPass.maySkip("a", 10, false);
    PrefetchPass.wasRead(block, (file, offset) -> true);
    assertThat(TestBlocks.nextBlockOnDiskSize(block)).isEqualTo(NEXT_SIZE);
  }

  private static HFileBlock block() {
    return TestBlocks.withNextBlock(1, 10, 100, NEXT_SIZE);
  }

  @Test
  void otherThreadsAreToldWhatIsCached() {
    assertThat(PrefetchPass.maySkip("a", 0, false)).isFalse();
    assertThat(PrefetchPass.maySkip("a", 10, true)).isTrue();
  }
}
