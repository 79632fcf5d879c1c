package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchPassTest {
  @Test
  void aPrefetchThatHasReadABlockReadsTheRestOfItsFile() throws InterruptedException {
    List<Boolean> skipped = new ArrayList<>();
    Thread prefetch =
        new Thread(
            () -> {
              skipped.add(PrefetchPass.maySkip("a", 0, true));
              skipped.add(PrefetchPass.maySkip("a", 10, false));
              skipped.add(PrefetchPass.maySkip("a", 20, true));
              // Another file, and the first one from its begin.
              skipped.add(PrefetchPass.maySkip("b", 30, true));
              skipped.add(PrefetchPass.maySkip("a", 0, true));
              skipped.add(PrefetchPass.maySkip("a", 10, true));
            },
            "hfile-prefetch-1");
    prefetch.start();
    prefetch.join();
    assertThat(skipped).containsExactly(true, false, false, true, true, true);
  }

  @Test
  void otherThreadsAreToldWhatIsCached() {
    assertThat(PrefetchPass.maySkip("a", 0, false)).isFalse();
    assertThat(PrefetchPass.maySkip("a", 10, true)).isTrue();
  }
}
