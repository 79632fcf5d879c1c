package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fastpath.metrics.MetricDefinition.Kind;
import org.junit.jupiter.api.Test;

/** A gauge is given up although it is not slow: no processor was free for the thread that asks. */
class LateGaugeTest {
  private final Object later = new Object();
  private final Gauge gauge =
      Gauge.number("Test", new MetricDefinition("someCount", "Of a test", Kind.GAUGE), () -> 1);
  private final GaugeReader.Task task =
      new GaugeReader.Task(new GaugeReader.Answers(List.of(gauge)), 0);

  @Test
  void givenUpBeforeItWasAskedItIsNotStuckForEver() {
    task.abandon();
    assertThat(gauge.isStuckWithAnother(later)).isTrue();

    task.run();

    assertThat(gauge.isStuckWithAnother(later)).isFalse();
  }

  @Test
  void whoPassedItByDoesNotKeepItStuck() {
    Object earlier = new Object();
    gauge.tookTooLong(earlier, 1);
    task.run();
    task.abandon();
    assertThat(gauge.isStuckWithAnother(later)).isTrue();

    gauge.answered(earlier);

    assertThat(gauge.isStuckWithAnother(later)).isFalse();
  }

  @Test
  void givenUpWhenItHadAnsweredItIsNotStuck() {
    task.run();
    task.abandon();

    assertThat(gauge.isStuckWithAnother(later)).isFalse();
  }
}
