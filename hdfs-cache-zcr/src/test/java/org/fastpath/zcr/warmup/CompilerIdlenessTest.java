package org.fastpath.zcr.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CompilerIdlenessTest {
  private static final int WINDOW = 500;

  private final AtomicLong compiled = new AtomicLong(10_000);
  private final CompilerIdleness compiler = new CompilerIdleness(compiled::get);

  private List<Boolean> after(int... compiledMillis) {
    List<Boolean> rests = new ArrayList<>();
    for (int millis : compiledMillis) {
      compiled.addAndGet(millis);
      rests.add(compiler.after(WINDOW));
    }
    return rests;
  }

  @Test
  void restsAfterThreeWindowsWithLittleWork() {
    assertThat(after(600, 49, 0, 30, 20)).containsExactly(false, false, false, true, true);
  }

  @Test
  void startsAnewWhenThereIsWork() {
    assertThat(after(0, 0, 50, 0, 0, 0)).containsExactly(false, false, false, false, false, true);
  }

  @Test
  void hadWorkBeforeItWasWatched() {
    assertThat(after(0, 0, 0)).containsExactly(false, false, true);
  }
}
