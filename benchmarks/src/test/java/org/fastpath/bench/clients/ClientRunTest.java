package org.fastpath.bench.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The parser finds the figures in the clients' output, and their command lines are right. */
class ClientRunTest {
  private static final double EXACT = 1e-9;

  private static ClientRun run(String... lines) {
    return new ClientRun(List.of(lines), 1, 1);
  }

  @Test
  void slowestClientOfPerformanceEvaluationCounts() {
    ClientRun run =
        run(
            "INFO [TestClient-0] hbase.PerformanceEvaluation: Finished TestClient-0 in 1500ms over"
                + " 1000 rows",
            "INFO [TestClient-1] hbase.PerformanceEvaluation: Finished TestClient-1 in 2000ms over"
                + " 1000 rows");
    assertThat(run.seconds()).hasValue(2);
  }

  @Test
  void latenciesOfPerformanceEvaluationAreAveraged() {
    ClientRun run =
        run(
            "hbase.PerformanceEvaluation: IncrementTest 50th     = 100.0",
            "hbase.PerformanceEvaluation: IncrementTest 99th     = 300.0",
            "hbase.PerformanceEvaluation: IncrementTest 99.9th   = 900.0",
            "Latency (us) : mean=1.0, 50th=200.00, 95th=3.00, 99th=500.00, 99.9th=7.00");
    assertThat(run.mean(String.format(PeCommand.LATENCY, "50")).getAsDouble())
        .isEqualTo(150, offset(EXACT));
    assertThat(run.mean(String.format(PeCommand.LATENCY, "99")).getAsDouble())
        .isEqualTo(400, offset(EXACT));
    assertThat(run("nothing").mean(String.format(PeCommand.LATENCY, "99"))).isEmpty();
  }

  @Test
  void figuresOfYcsbAreFound() {
    ClientRun run =
        run(
            "[OVERALL], RunTime(ms), 4000",
            "[READ], 99thPercentileLatency(us), 812",
            "[UPDATE], 99thPercentileLatency(us), 1812");
    assertThat(run.seconds()).hasValue(4);
    assertThat(run.mean(String.format(YcsbCommand.Mix.A.latency(), "99"))).hasValue(812);
    assertThat(run.mean(String.format(YcsbCommand.Mix.E.latency(), "99"))).isEmpty();
  }

  @Test
  void rowsOfATestAreThoseOfAllItsOperations() {
    PeCommand.Test range = PeCommand.Test.of("--caching=30 scanRange100");
    assertThat(range.arguments(10_000, 2_000, 100))
        .containsExactly(
            "--nomapred",
            "--latency",
            "--valueSize=100",
            "--rows=10",
            "--caching=30",
            "scanRange100",
            "2");
    assertThat(range.rowsRead(10_000, 2_000)).isEqualTo(2_000);
    assertThat(PeCommand.Test.of("scan").rowsRead(10_000, 2_000)).isEqualTo(10_000);
    assertThat(PeCommand.Test.of("filterScan").rowsRead(10_000, 2_000)).isEqualTo(20_000);
    assertThat(PeCommand.Test.of("randomRead").rowsRead(10_000, 2_000)).isEqualTo(2_000);
  }

  @Test
  void optionsWithoutATestAreRefused() {
    assertThatThrownBy(() -> PeCommand.Test.of("--caching=30"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names no test");
  }
}
