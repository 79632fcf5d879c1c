package org.fastpath.bench.engine.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fastpath.bench.engine.results.Comparison;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Results;

/**
 * Arranges a results file for the report. Each measurement has one row per set of parameters. Each
 * row has one cell per variant and per rival.
 */
final class Figures {
  private static final String ALLOCATION = "B/op";

  private final Results results;
  private final Map<String, List<Row>> rows;
  private final Map<String, List<Row>> allocations;

  /**
   * The figures of one measurement and one set of parameters.
   *
   * @param cells by column: a variant, or the label of a rival
   */
  record Row(String name, Map<String, String> params, Map<String, Measurement> cells) {
    Measurement any() {
      return cells.values().iterator().next();
    }
  }

  enum Role {
    /** The variant that is compared with the others. */
    CANDIDATE,
    /** A variant of the candidate: {@code ours-jdk} beside {@code ours-auto}. */
    VARIANT,
    /** Another benchmark that does the same work. */
    RIVAL,
    /** Any other variant. */
    OTHER
  }

  Figures(Results results) {
    this.results = results;
    this.rows = arrange(measurement -> !measurement.unit().equals(ALLOCATION));
    this.allocations = arrange(measurement -> measurement.unit().equals(ALLOCATION));
  }

  /** Returns rows by name of the measurement, except allocations. */
  Map<String, List<Row>> rows() {
    return rows;
  }

  /** Returns rows of bytes allocated per operation, by name. */
  Map<String, List<Row>> allocations() {
    return allocations;
  }

  Role role(String column) {
    if (column.equals(results.candidate())) {
      return Role.CANDIDATE;
    }
    Stream<String> rivals = results.rivals().values().stream().flatMap(List::stream);
    if (rivals.map(Labels::rival).anyMatch(column::equals)) {
      return Role.RIVAL;
    }
    int dash = results.candidate().indexOf('-');
    boolean variant = dash > 0 && column.startsWith(results.candidate().substring(0, dash + 1));
    return variant ? Role.VARIANT : Role.OTHER;
  }

  /** Returns all rows, except allocations. */
  Stream<Row> all() {
    return rows.values().stream().flatMap(List::stream);
  }

  /** Returns the candidate's advantage over this column as a ratio; null if a cell is missing. */
  Comparison against(Row row, String column) {
    Measurement candidate = row.cells().get(results.candidate());
    Measurement other = row.cells().get(column);
    return candidate == null || other == null ? null : Comparison.of(other, candidate);
  }

  /** Returns the candidate's advantages over other variants and rivals, but not over its own. */
  Map<String, Comparison> ratios(Row row) {
    Map<String, Comparison> ratios = new LinkedHashMap<>();
    for (String column : row.cells().keySet()) {
      if (role(column) == Role.OTHER || role(column) == Role.RIVAL) {
        Comparison ratio = against(row, column);
        if (ratio != null) {
          ratios.put(column, ratio);
        }
      }
    }
    return ratios;
  }

  /** Returns columns in order of first appearance. */
  static List<String> columns(Collection<Row> rows) {
    return rows.stream().flatMap(row -> row.cells().keySet().stream()).distinct().toList();
  }

  /** Returns parameter names in order of first appearance. */
  static List<String> params(Collection<Row> rows) {
    return rows.stream().flatMap(row -> row.params().keySet().stream()).distinct().toList();
  }

  /** Returns the parameters that are equal in all rows. */
  static Map<String, String> constants(Collection<Row> rows) {
    Map<String, String> constants = new LinkedHashMap<>();
    for (String param : params(rows)) {
      List<String> values =
          rows.stream().map(row -> row.params().getOrDefault(param, "")).distinct().toList();
      if (rows.size() > 1 && values.size() == 1) {
        constants.put(param, values.get(0));
      }
    }
    return constants;
  }

  private Map<String, List<Row>> arrange(Predicate<Measurement> wanted) {
    List<Measurement> all = results.measurements().stream().filter(wanted).toList();
    // Other rows show these rivals, so they get no rows of their own.
    Set<String> rivals =
        all.stream()
            .flatMap(measured -> rivals(measured.name()).stream())
            .collect(Collectors.toSet());
    Map<String, List<Row>> arranged =
        all.stream()
            .filter(measured -> !rivals.contains(measured.name()))
            .map(measured -> row(measured, all))
            .distinct()
            .collect(Collectors.groupingBy(Row::name, LinkedHashMap::new, Collectors.toList()));
    arranged.values().forEach(rows -> rows.sort((a, b) -> compare(a.params(), b.params())));
    return arranged;
  }

  private List<String> rivals(String name) {
    return results.rivals().getOrDefault(name, List.of());
  }

  /** Returns the row of all variants of one measurement and of its rivals. */
  private Row row(Measurement first, List<Measurement> all) {
    Map<String, Measurement> cells = new LinkedHashMap<>();
    all.stream()
        .filter(m -> m.name().equals(first.name()) && m.params().equals(first.params()))
        .sorted((a, b) -> role(a.variant()).compareTo(role(b.variant())))
        .forEach(m -> cells.put(m.variant(), m));
    for (String rival : rivals(first.name())) {
      all.stream()
          .filter(m -> m.name().equals(rival) && agree(m.params(), first.params()))
          .findFirst()
          .ifPresent(m -> cells.put(Labels.rival(rival), m));
    }
    return new Row(first.name(), first.params(), cells);
  }

  /** Returns whether parameters agree; a rival may lack one that makes no difference to it. */
  private static boolean agree(Map<String, String> rival, Map<String, String> params) {
    return rival.entrySet().stream()
        .allMatch(param -> param.getValue().equals(params.get(param.getKey())));
  }

  private static int compare(Map<String, String> a, Map<String, String> b) {
    return a.entrySet().stream()
        .mapToInt(param -> compare(param.getValue(), b.getOrDefault(param.getKey(), "")))
        .filter(order -> order != 0)
        .findFirst()
        .orElse(0);
  }

  private static int compare(String a, String b) {
    boolean numbers = a.matches("\\d{1,12}") && b.matches("\\d{1,12}");
    return numbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
  }
}
