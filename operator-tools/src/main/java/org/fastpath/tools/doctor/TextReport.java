package org.fastpath.tools.doctor;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.fastpath.tools.conf.Role;

/** Prints a diagnosis for operators: a table of daemons, then the problems. */
final class TextReport {
  private static final List<String> HEAD = List.of("role", "daemon", "version", "active", "not");
  private static final int SHOWN = 3;

  private TextReport() {}

  static void print(Diagnosis diagnosis, PrintWriter out) {
    if (!diagnosis.evidence().daemons().isEmpty()) {
      table(rows(diagnosis.evidence().daemons()), out);
      out.println();
    }
    diagnosis.problems().forEach(problem -> print(problem, out));
    out.println(summary(diagnosis));
    out.flush();
  }

  private static void print(Problem problem, PrintWriter out) {
    out.println(problem.severity() + " " + problem.kind().label() + " at " + problem.where());
    out.println("  " + problem.text());
    out.println("  remedy: " + problem.remedy());
    out.println();
  }

  private static String summary(Diagnosis diagnosis) {
    Map<Severity, Long> counts =
        diagnosis.problems().stream()
            .collect(Collectors.groupingBy(Problem::severity, Collectors.counting()));
    return diagnosis.evidence().directories().size()
        + " directories, "
        + diagnosis.evidence().daemons().size()
        + " daemons: "
        + counts.getOrDefault(Severity.PROBLEM, 0L)
        + " problems, "
        + counts.getOrDefault(Severity.UNSEEN, 0L)
        + " not seen, "
        + counts.getOrDefault(Severity.ADVICE, 0L)
        + " pieces of advice";
  }

  /** Returns the rows. Daemons with equal answers share one row. */
  private static List<List<String>> rows(List<DaemonReport> daemons) {
    Map<List<String>, List<String>> same = new LinkedHashMap<>();
    for (DaemonReport daemon : daemons) {
      List<String> state =
          List.of(
              daemon.role().map(Role::label).orElse("?"),
              versions(daemon),
              features(daemon, true),
              daemon.failure().isPresent() ? "no answer" : features(daemon, false));
      same.computeIfAbsent(state, s -> new ArrayList<>()).add(address(daemon));
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    same.forEach(
        (state, names) ->
            rows.add(
                List.of(state.get(0), names(names), state.get(1), state.get(2), state.get(3))));
    return rows;
  }

  private static String address(DaemonReport daemon) {
    return daemon.address().substring(daemon.address().indexOf("//") + 2);
  }

  private static String names(List<String> names) {
    String shown = names.stream().limit(SHOWN).collect(Collectors.joining(" "));
    return names.size() > SHOWN ? shown + " and " + (names.size() - SHOWN) + " more" : shown;
  }

  private static String versions(DaemonReport daemon) {
    String versions =
        daemon.features().stream()
            .map(FeatureReport::version)
            .collect(Collectors.toCollection(TreeSet::new))
            .stream()
            .collect(Collectors.joining(" "));
    return versions.isEmpty() ? "-" : versions;
  }

  /** Returns the active features, or the others with their states. */
  private static String features(DaemonReport daemon, boolean active) {
    String features =
        daemon.features().stream()
            .filter(feature -> active == feature.state().equals(FeatureReport.ACTIVE))
            .map(feature -> active ? feature.feature() : feature.feature() + "=" + feature.state())
            .sorted()
            .collect(Collectors.joining(" "));
    return features.isEmpty() ? "-" : features;
  }

  private static void table(List<List<String>> rows, PrintWriter out) {
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
