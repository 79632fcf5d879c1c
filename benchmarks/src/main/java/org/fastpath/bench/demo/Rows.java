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

/** The table that the demo prints: one row per figure with both variants, ratio and verdict. */
final class Rows {
  private static final String FORMAT = "%-38s %10s %10s %-7s %7s  %-13s %s%n";
  private final Run run;
  private final String base;
  private final String ours;
  private final StringBuilder text = new StringBuilder();

  Rows(Run run, String base, String ours) {
    this.run = run;
    this.base = base;
    this.ours = ours;
    text.append(line("", base, ours, "", "ratio", "99 %", "verdict"));
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, FORMAT, cells);
  }

  /** Adds a row for each figure; returns the text for the progress. */
  <W> String add(String name, List<Figure<W>> figures, Map<String, List<W>> slices) {
    StringJoiner told = new StringJoiner("; ");
    for (Figure<W> figure : figures) {
      double[] one = samples(figure, slices.get(base));
      double[] two = samples(figure, slices.get(ours));
      String row = name + ": " + figure.name();
      // A group of slices is a round, so the report takes ratios inside it.
      List<Figure<W>> named =
          List.of(new Figure<>(row, figure.unit(), figure.better(), figure.value()));
      for (String variant : List.of(base, ours)) {
        slices.get(variant).forEach(slice -> run.round(named, "", Map.of(), variant, slice));
      }
      Comparison ratio = Comparison.of(one, two, figure.better());
      text.append(
          line(
              row,
              Numbers.format(Measurement.median(one)),
              Numbers.format(Measurement.median(two)),
              figure.unit(),
              Numbers.ratio(ratio.ratio()),
              Numbers.format(ratio.low()) + "–" + Numbers.format(ratio.high()),
              ratio.verdict()));
      told.add(figure.name() + " " + Numbers.ratio(ratio.ratio()) + ", " + ratio.verdict());
    }
    return told.toString();
  }

  private static <W> double[] samples(Figure<W> figure, List<W> slices) {
    return slices.stream().mapToDouble(figure::of).toArray();
  }

  String text() {
    return text
        + "\nA ratio above 1: "
        + ours
        + " is better. The interval contains the ratio with 99 % and decides the verdict.\n\n";
  }
}
