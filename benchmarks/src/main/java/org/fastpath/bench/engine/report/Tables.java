package org.fastpath.bench.engine.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Measurement;

/** Renders rows of {@link Figures}; measurements of the same columns share a table. */
record Tables(Figures figures) {
  /** A smaller number of bytes is an allocation of the profiler itself. */
  private static final double NOTHING = 0.5;

  /** Returns the candidate beside all variants and rivals. */
  String headline() {
    Predicate<String> wanted = column -> figures.role(column) != Figures.Role.VARIANT;
    return tables(figures.rows(), wanted, this::compared);
  }

  String allocations() {
    return tables(figures.allocations(), column -> true, this::allocated);
  }

  private String tables(
      Map<String, List<Figures.Row>> rows,
      Predicate<String> wanted,
      BiFunction<Figures.Row, String, String> cell) {
    StringBuilder html = new StringBuilder();
    for (List<Figures.Row> shared : byShape(rows)) {
      List<String> columns = Figures.columns(shared).stream().filter(wanted).toList();
      html.append(table(shared, columns, cell));
    }
    return html.toString();
  }

  /** Groups measurements by parameters and columns; each group is a table. */
  private static List<List<Figures.Row>> byShape(Map<String, List<Figures.Row>> rows) {
    Map<String, List<Figures.Row>> tables = new LinkedHashMap<>();
    rows.forEach(
        (name, own) -> {
          String shape = Figures.params(own) + " " + Figures.columns(own);
          tables.computeIfAbsent(shape, any -> new ArrayList<>()).addAll(own);
        });
    return List.copyOf(tables.values());
  }

  private String table(
      List<Figures.Row> rows, List<String> columns, BiFunction<Figures.Row, String, String> cell) {
    Map<String, String> constants = Figures.constants(rows);
    List<String> params =
        Figures.params(rows).stream().filter(param -> !constants.containsKey(param)).toList();
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n");
    html.append(caption(constants)).append(head(params, columns)).append("<tbody>\n");
    String previous = "";
    for (Figures.Row row : rows) {
      boolean first = !row.name().equals(previous);
      html.append(first ? "<tr class=\"first\">" : "<tr>");
      html.append(first ? name(row, rows) : "");
      params.forEach(param -> html.append(param(row, param)));
      columns.forEach(column -> html.append(cell.apply(row, column)));
      html.append("</tr>\n");
      previous = row.name();
    }
    return html.append("</tbody>\n</table></div>\n").toString();
  }

  /** Returns the parameters with one value, which need no column. */
  private static String caption(Map<String, String> constants) {
    return constants.isEmpty()
        ? ""
        : Html.tag("caption", Html.escape("all rows: " + Labels.line(constants)));
  }

  private String head(List<String> params, List<String> columns) {
    StringBuilder html = new StringBuilder("<thead><tr><th scope=\"col\">measured</th>");
    params.forEach(param -> html.append("<th scope=\"col\">" + Html.escape(param) + "</th>"));
    for (String column : columns) {
      String candidate = figures.role(column) == Figures.Role.CANDIDATE ? " candidate" : "";
      html.append(
          "<th scope=\"col\" class=\"num" + candidate + "\">" + Html.escape(column) + "</th>");
    }
    return html.append("</tr></thead>\n").toString();
  }

  private static String name(Figures.Row row, List<Figures.Row> rows) {
    long span = rows.stream().filter(other -> other.name().equals(row.name())).count();
    String title = Html.escape(Labels.title(row.name()));
    return "<th scope=\"rowgroup\" rowspan=\"" + span + "\">" + title + "</th>";
  }

  private static String param(Figures.Row row, String param) {
    String value = row.params().getOrDefault(param, "");
    return Html.tag("td", "param", Html.escape(Labels.value(param, value)));
  }

  /** Returns the value, and for each other variant the candidate's advantage as a ratio. */
  private String compared(Figures.Row row, String column) {
    Measurement measured = row.cells().get(column);
    if (measured == null) {
      return Html.tag("td", "num none", "–");
    }
    Scale scale = Scale.of(measured);
    String value = Html.escape(Numbers.withUnit(scale.value(), scale.unit()));
    if (figures.role(column) == Figures.Role.CANDIDATE) {
      return Html.tag("td", "num candidate", Html.tag("b", value).trim());
    }
    Comparison comparison = figures.against(row, column);
    return comparison == null
        ? Html.tag("td", "num", value)
        : Html.tag(
            "td",
            "num " + comparison.verdict(),
            ratio(comparison) + Html.tag("div", "value", value));
  }

  private static String ratio(Comparison comparison) {
    String spread = comparison.rounds() == 1 ? "" : " " + Numbers.interval(comparison);
    return Html.tag("b", Numbers.ratio(comparison.ratio())).trim()
        + Html.tag("span", "spread", spread);
  }

  private String allocated(Figures.Row row, String column) {
    Measurement measured = row.cells().get(column);
    if (measured == null) {
      return Html.tag("td", "num none", "–");
    }
    boolean nothing = measured.median() < NOTHING;
    String value = nothing ? "0" : Numbers.format(Math.rint(measured.median()));
    return Html.tag("td", nothing ? "num better" : "num", value);
  }
}
