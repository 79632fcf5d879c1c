package org.fastpath.bench.hitratio;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Hit ratios as Markdown: a table for each size of the cache, means of the seeds. */
final class HitRatioTable {
  private record Row(double share, String trace) {}

  private final Map<Row, Map<Contender, List<Double>>> rows = new LinkedHashMap<>();

  void add(double share, String trace, Contender contender, double ratio) {
    rows.computeIfAbsent(new Row(share, trace), any -> new EnumMap<>(Contender.class))
        .computeIfAbsent(contender, any -> new ArrayList<>())
        .add(ratio);
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    double share = 0;
    for (Map.Entry<Row, Map<Contender, List<Double>>> row : rows.entrySet()) {
      if (row.getKey().share() != share) {
        share = row.getKey().share();
        text.append(head(share, row.getValue()));
      }
      text.append("| ").append(row.getKey().trace()).append(" |");
      row.getValue().values().forEach(ratios -> text.append(cell(ratios)));
      text.append('\n');
    }
    return text.toString();
  }

  private static String head(double share, Map<Contender, List<Double>> row) {
    String names =
        row.keySet().stream().map(Contender::title).collect(Collectors.joining(" | ", " | ", " |"));
    return String.format(Locale.ROOT, "%n| cache %.0f %%", 100 * share)
        + names
        + "\n|---|"
        + "---:|".repeat(row.size())
        + "\n";
  }

  private static String cell(List<Double> ratios) {
    double mean = ratios.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    return String.format(Locale.ROOT, " %.1f |", mean);
  }
}
