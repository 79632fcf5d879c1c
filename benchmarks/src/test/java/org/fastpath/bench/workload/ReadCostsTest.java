package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.junit.jupiter.api.Test;

class ReadCostsTest {
  private static ReadCosts costs() {
    ReadCosts costs = new ReadCosts();
    for (double cost : new double[] {100, 110, 400}) {
      costs.add(Reads.GET, "off", cost);
      costs.add(Reads.GET, "on", cost * 1.01);
    }
    return costs;
  }

  private static Measurement find(Results results, String name, String side) {
    return results.find(name, side).orElseThrow();
  }

  @Test
  void aSliceWithAGarbageCollectionMovesTheMeanOnly() {
    Results.Builder builder = Results.builder("reads", null);
    costs().record(builder, Map.of(), "off");
    Results results = builder.build();

    assertThat(find(results, "metrics.get.cpu", "off").median()).isEqualTo(110);
    assertThat(find(results, "metrics.get.cpu", "off").rounds())
        .containsExactly(List.of(100.0, 110.0, 400.0));
    assertThat(find(results, "metrics.get.cpu.mean", "off").median()).isCloseTo(203.3, within(0.1));
    assertThat(find(results, "metrics.get.on.percent", "on").median()).isCloseTo(1, within(1e-9));
    assertThat(results.find("metrics.get.off.percent", "off")).isEmpty();
  }

  @Test
  void slicesOfOneGroupArePaired() {
    ReadCosts costs = new ReadCosts();
    for (double machine : new double[] {1, 5, 2}) {
      costs.add(Reads.SCAN, "off", 100 * machine);
      costs.add(Reads.SCAN, "on", (machine == 5 ? 90 : 103) * machine);
    }

    assertThat(costs.overhead(Reads.SCAN, "on", "off")).isCloseTo(3, within(1e-9));
  }

  @Test
  void severalPartsMakeARound() {
    ReadCosts both = new ReadCosts();
    both.addAll(costs());
    both.addAll(costs());

    assertThat(both.all(Reads.GET, "on")).hasSize(6);
    assertThat(both.summary(Reads.GET, List.of("off", "on")))
        .isEqualTo("get, µs/get: off 110.000 (+0.00 %) on 111.100 (+1.00 %)");
  }
}
