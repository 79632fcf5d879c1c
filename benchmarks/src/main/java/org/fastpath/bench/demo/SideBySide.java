package org.fastpath.bench.demo;

import java.util.ArrayList;
import java.util.List;
import org.fastpath.bench.report.Numbers;
import org.fastpath.bench.results.Comparison;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;

/** The table that the demo prints: a line per figure, stock beside ours, and the ratio. */
final class SideBySide {
  private static final String GAP = "  ";

  private final Results results;
  private final String baseline;
  private final String candidate;

  SideBySide(Results results, String baseline, String candidate) {
    this.results = results;
    this.baseline = baseline;
    this.candidate = candidate;
  }

  /** The table as text. */
  String render() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("", baseline, candidate, "", "ratio", "spread"));
    for (Measurement measurement : results.measurements()) {
      if (measurement.side().equals(baseline)) {
        results
            .find(measurement.name(), candidate)
            .ifPresent(ours -> lines.add(line(measurement, ours)));
      }
    }
    return align(lines) + "\n" + described(baseline) + described(candidate);
  }

  private String described(String side) {
    String text = results.descriptions().getOrDefault(side, "");
    return text.isEmpty() ? "" : side + ": " + text + "\n";
  }

  private static List<String> line(Measurement stock, Measurement ours) {
    Comparison comparison = Comparison.of(stock, ours);
    String spread =
        comparison.rounds() == 1
            ? ""
            : Numbers.format(comparison.low()) + "–" + Numbers.format(comparison.high());
    return List.of(
        stock.name(),
        Numbers.format(stock.median()),
        Numbers.format(ours.median()),
        stock.unit(),
        Numbers.ratio(comparison.ratio()),
        spread);
  }

  /** Text to the left, numbers to the right. */
  private static String align(List<List<String>> lines) {
    int columns = lines.get(0).size();
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        boolean left = column == 0 || column == 3;
        row.append(pad(line.get(column), width(lines, column), left)).append(GAP);
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }

  private static String pad(String text, int width, boolean left) {
    String blanks = " ".repeat(width - text.length());
    return left ? text + blanks : blanks + text;
  }
}
