package org.fastpath.offheap.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;

class SampledReadLogTest {
  private final SampledReadLog hits = new SampledReadLog(MemoryAllocator.DIRECT);
  private final List<Integer> drained = new ArrayList<>();

  @Test
  void whatIsLoggedIsDrainedOnceInOrder() {
    hits.add();
    for (int entry : new int[] {7, 3, 7}) {
      hits.addLogged(entry);
    }
    hits.drain(drained::add);
    hits.drain(drained::add);
    assertThat(drained).containsExactly(7, 3, 7);
    assertThat(hits.sum()).isEqualTo(4);
  }

  @Test
  void aLogThatIsFullForgetsTheOldest() {
    IntStream.range(0, 1_000).forEach(hits::addLogged);
    hits.drain(drained::add);
    assertThat(drained)
        .containsExactlyElementsOf(IntStream.range(1_000 - 256, 1_000).boxed().toList());
    assertThat(hits.sum()).isEqualTo(1_000);
  }
}
