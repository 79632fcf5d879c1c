package org.fastpath.bench.engine;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Series;

/** One run of an experiment: its directory, console, and results so far. Not thread-safe. */
public record Run(WorkDirectory directory, Console console, Results.Builder results) {
  /** Adds a round of one figure of one variant. The unit determines the good direction. */
  public void round(
      String name, Map<String, String> params, String variant, String unit, double... values) {
    results.round(name, params, variant, unit, values);
  }

  /** Adds a round of all figures of a measurement; names begin with the prefix. */
  public <W> void round(
      List<Figure<W>> figures,
      String prefix,
      Map<String, String> params,
      String variant,
      W measured) {
    slices(figures, prefix, params, variant, List.of(measured));
  }

  /** Adds a round with a sample of each figure for each slice. */
  public <W> void slices(
      List<Figure<W>> figures,
      String prefix,
      Map<String, String> params,
      String variant,
      List<W> slices) {
    for (Figure<W> figure : figures) {
      double[] samples = slices.stream().mapToDouble(figure.value()).toArray();
      results.round(prefix + figure.name(), params, variant, figure.unit(), samples);
      results.better(prefix + figure.name(), figure.better());
    }
  }

  public void line(
      String chart, String variant, String xUnit, String unit, List<Double> x, List<Double> y) {
    if (!x.isEmpty()) {
      results.series(new Series(chart, variant, xUnit, unit, x, y));
    }
  }

  /** Describes the variants; the report compares the last one with the others. */
  public <S> void describe(List<S> variants, Function<S, String> id, Function<S, String> words) {
    variants.forEach(variant -> results.describe(id.apply(variant), words.apply(variant)));
    results.candidate(id.apply(variants.get(variants.size() - 1)));
  }

  public Console.Step step(String unit, Object... label) {
    return console.step(
        Stream.of(label).map(String::valueOf).collect(Collectors.joining(", ")), unit);
  }
}
