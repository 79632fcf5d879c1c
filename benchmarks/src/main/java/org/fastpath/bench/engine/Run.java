package org.fastpath.bench.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.bench.engine.results.Series;

/** One run of an experiment: its directory, console, and results so far. Not thread-safe. */
public record Run(WorkDirectory directory, Console console, Results.Builder results) {
  /** Adds a round of one figure of one side. The unit determines the good direction. */
  public void round(
      String name, Map<String, String> params, String side, String unit, double... values) {
    results.round(name, params, side, unit, values);
  }

  /** Adds a round of all figures of a measurement; names begin with the prefix. */
  public <W> void round(
      List<Figure<W>> figures, String prefix, Map<String, String> params, String side, W measured) {
    figures.forEach(figure -> figure.record(results, prefix, params, side, List.of(measured)));
  }

  /** Adds a round with a sample of each figure for each slice. */
  public <W> void slices(
      List<Figure<W>> figures,
      String prefix,
      Map<String, String> params,
      String side,
      List<W> slices) {
    figures.forEach(figure -> figure.record(results, prefix, params, side, slices));
  }

  /** Draws values over time or another number. */
  public void line(
      String chart, String side, String xUnit, String unit, List<Double> x, List<Double> y) {
    if (!x.isEmpty()) {
      results.series(new Series(chart, side, xUnit, unit, x, y));
    }
  }

  /** Draws the measurements of a name as lines over a parameter, one for each side. */
  public void lines(String name, String unit, Map<String, String> params, String over) {
    Map<String, TreeMap<Double, Double>> sides = new LinkedHashMap<>();
    for (Measurement measured : results.build().measurements()) {
      if (measured.name().equals(name)
          && measured.params().entrySet().containsAll(params.entrySet())) {
        sides
            .computeIfAbsent(measured.side(), any -> new TreeMap<>())
            .put(Double.valueOf(measured.params().get(over)), measured.median());
      }
    }
    StringBuilder chart = new StringBuilder(name);
    params.forEach((param, value) -> chart.append(", ").append(value).append(' ').append(param));
    String title = chart.append(", by client ").append(over).toString();
    sides.forEach(
        (side, points) ->
            line(
                title,
                side,
                "client " + over,
                unit,
                List.copyOf(points.keySet()),
                List.copyOf(points.values())));
  }

  /** Describes the sides; the report compares the last one with the others. */
  public <S> void describe(List<S> sides, Function<S, String> id, Function<S, String> words) {
    sides.forEach(side -> results.describe(id.apply(side), words.apply(side)));
    results.candidate(id.apply(sides.get(sides.size() - 1)));
  }

  /** Begins a step of the progress. */
  public Console.Step step(String unit, Object... label) {
    return console.step(
        Stream.of(label).map(String::valueOf).collect(Collectors.joining(", ")), unit);
  }
}
