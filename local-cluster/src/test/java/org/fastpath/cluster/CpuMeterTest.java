package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class CpuMeterTest {
  private static final long TICK = 10_000_000;

  @Test
  void workCountsAndIsAtMostTheTimeOfTheProcess() throws IOException {
    long pid = ProcessHandle.current().pid();
    CpuTime before = CpuTime.ofProcess(pid);
    CpuMeter meter = new CpuMeter(pid);
    long begin = meter.elapsed().totalNanos();
    long number = 1;
    while (meter.elapsed().totalNanos() < begin + 5 * TICK) {
      for (int i = 0; i < 1_000_000; i++) {
        number = number * 31 + i;
      }
    }
    assertThat(number).isNotZero();
    assertThat(meter.elapsed().totalNanos())
        .isLessThanOrEqualTo(CpuTime.ofProcess(pid).minus(before).totalNanos());
  }

  @Test
  void processesMustExist() {
    assertThatThrownBy(() -> new CpuMeter(Long.MAX_VALUE)).isInstanceOf(IOException.class);
  }
}
