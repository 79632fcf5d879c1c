package org.fastpath.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static final List<Figure<Double>> FIGURES =
      List.of(
          Figure.low("cpu", "s", value -> value), Figure.high("rate", "1/s", value -> 1 / value));

  private static List<Double> slices(double around, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return DoubleStream.generate(() -> around * random.nextDouble(0.95, 1.05))
        .limit(20)
        .boxed()
        .toList();
  }

  @Test
  void eachFigureHasARatioAndAVerdict() {
    Results.Builder results = Results.builder("demo", null).candidate("ours");
    Rows rows = new Rows(new Run(null, null, results), "stock", "ours");

    String told = rows.add("get", FIGURES, Map.of("stock", slices(3, 1), "ours", slices(2, 2)));
    rows.add("put", FIGURES, Map.of("stock", slices(3, 3), "ours", slices(3, 4)));
    rows.add("scan", FIGURES, Map.of("stock", slices(2, 5), "ours", slices(3, 6)));

    List<String> lines = rows.text().lines().toList();
    assertThat(told).contains("cpu 1.5", "better");
    assertThat(lines.get(0)).contains("stock", "ours", "ratio", "verdict");
    assertThat(lines.subList(1, 3)).allMatch(line -> line.endsWith(" better"));
    assertThat(lines.subList(3, 5)).allMatch(line -> line.endsWith(" no difference found"));
    assertThat(lines.subList(5, 7)).allMatch(line -> line.endsWith(" worse"));
    assertThat(results.build().find("get: rate", "ours").orElseThrow().rounds()).hasSize(20);
  }
}
