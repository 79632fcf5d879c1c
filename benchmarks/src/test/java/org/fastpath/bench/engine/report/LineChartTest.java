package org.fastpath.bench.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineChartTest {
  @ParameterizedTest
  @CsvSource({"40,10", "1.4,0.5", "1000000,200000", "5,1", "0,1", "0.003,0.001"})
  void ticksAreRoundNumbers(double range, double step) {
    assertThat(LineChart.step(range)).isCloseTo(step, within(1e-12));
  }
}
