package org.fastpath.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.Measurement;
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
    Rows rows = new Rows(new Run(null, null, results));

    String told = rows.add("get", Map.of(), FIGURES, sides("stock", slices(3, 1), slices(2, 2)));
    rows.add("put", Map.of(), FIGURES, sides("stock", slices(3, 3), slices(3, 4)));
    rows.add("scan", Map.of(), FIGURES, sides("stock", slices(2, 5), slices(3, 6)));

    List<String> lines = rows.text().lines().toList();
    assertThat(told).contains("cpu 1.5", "better");
    assertThat(lines.get(0)).contains("stock", "ours", "ratio", "verdict");
    assertThat(lines.subList(1, 3)).allMatch(line -> line.endsWith(" better"));
    assertThat(lines.subList(3, 5)).allMatch(line -> line.endsWith(" no difference found"));
    assertThat(lines.subList(5, 7)).allMatch(line -> line.endsWith(" worse"));
    assertThat(results.build().find("get: rate", "ours").orElseThrow().rounds()).hasSize(20);
  }

  @Test
  void otherSidesGetAHeadOfTheirOwn() {
    Results.Builder results = Results.builder("demo", null).candidate("ours");
    Rows rows = new Rows(new Run(null, null, results));

    rows.add("get", Map.of(), FIGURES, sides("stock", slices(3, 1), slices(2, 2)));
    rows.add("get, metered", Map.of(), FIGURES, sides("off", slices(2, 3), slices(2, 4)));

    List<String> lines = rows.text().lines().toList();
    assertThat(lines.get(0)).contains("stock", "ours", "verdict");
    assertThat(lines.get(3)).contains("off", "ours", "verdict");
    assertThat(lines.get(4)).contains("get, metered: cpu").endsWith(" no difference found");
  }

  @Test
  void aCountHasAVerdictAfterOneRound() {
    Results.Builder results = Results.builder("demo", null).candidate("ours");
    Rows rows = new Rows(new Run(null, null, results));
    Map<String, String> once = Map.of(Measurement.COUNTED, "once");
    Map<String, List<Double>> bytes = sides("stock", List.of(500.0), List.of(5.0));

    rows.add("memory", Map.of(), FIGURES.subList(0, 1), bytes);
    assertThat(rows.text().lines().toList().get(1)).endsWith(" no difference found");
    rows.add("heap", once, FIGURES.subList(0, 1), bytes);
    assertThat(rows.text().lines().toList().get(2))
        .contains("100×", "90.9–110")
        .endsWith(" better");
    rows.add("waste", once, FIGURES.subList(0, 1), sides("stock", List.of(105.0), List.of(100.0)));
    assertThat(rows.text().lines().toList().get(3)).endsWith(" no difference found");
  }

  @Test
  void wasteOfABlockIsItsShareOfTheMemoryWithoutBlocks() {
    Lines lines = new Lines();
    lines.hear("figure\tblock-cache.wasted\t\t%\t20", null);
    lines.hear("figure\tblock-cache.wasted.block\t\tB\t64000", null);

    // Of each 80,000 bytes, 64,000 hold a block.
    assertThat(DemoCluster.wastePerBlock(lines)).isCloseTo(16_000, within(1e-6));
  }

  private static <W> Map<String, W> sides(String base, W one, W two) {
    Map<String, W> sides = new LinkedHashMap<>();
    sides.put(base, one);
    sides.put("ours", two);
    return sides;
  }
}
