package org.fastpath.bench.demo;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.report.Numbers;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;

/** The table that the demo prints: one row per figure with both variants, ratio and verdict. */
final class Rows {
  private static final String FORMAT = "%-40s %10s %10s %-7s %7s  %-13s %s%n";
  private final Run run;
  private final StringBuilder text = new StringBuilder();
  private List<String> variants = List.of();

  Rows(Run run) {
    this.run = run;
  }

  private void line(Object... cells) {
    text.append(String.format(Locale.ROOT, FORMAT, cells));
  }

  /**
   * Adds a row for each figure; returns the text for the progress. The slices of the base are
   * first, those of the candidate second.
   *
   * @param params say what happened only once; empty for others
   */
  <W> String add(
      String name,
      Map<String, String> params,
      List<Figure<W>> figures,
      Map<String, List<W>> slices) {
    head(List.copyOf(slices.keySet()));
    StringJoiner told = new StringJoiner("; ");
    for (Figure<W> figure : figures) {
      String row = name + ": " + figure.name();
      // A group of slices is a round, so the report takes ratios inside it.
      List<Figure<W>> named =
          List.of(new Figure<>(row, figure.unit(), figure.better(), figure.value()));
      slices.forEach(
          (variant, own) -> own.forEach(slice -> run.round(named, "", params, variant, slice)));
      Results results = run.results().build();
      Measurement one = results.find(row, variants.get(0)).orElseThrow();
      Measurement two = results.find(row, variants.get(1)).orElseThrow();
      Comparison ratio = Comparison.of(one, two);
      line(
          row,
          Numbers.format(one.median()),
          Numbers.format(two.median()),
          figure.unit(),
          Numbers.ratio(ratio.ratio()),
          Numbers.interval(ratio),
          ratio.verdict());
      told.add(figure.name() + " " + Numbers.ratio(ratio.ratio()) + ", " + ratio.verdict());
    }
    return told.toString();
  }

  /** Names the columns, which are nearly always those of the row before. */
  private void head(List<String> sides) {
    if (!sides.equals(variants)) {
      variants = sides;
      line("", sides.get(0), sides.get(1), "", "ratio", "99 %", "verdict");
    }
  }

  String text() {
    return text
        + "\nA ratio above 1: the right side is better. It is the middle of the ratios of all slices,"
        + " which may differ from that of the columns. The interval contains it with 99 % and"
        + " decides the verdict. It allows for the difference of two starts.\n\n";
  }
}
