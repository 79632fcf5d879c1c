package org.fastpath.bench.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Grafana dashboard with its queries to Prometheus. */
final class Dashboard {
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)(?::\\w+)?\\}|(\\w+))");
  private static final Pattern LEGEND_LABEL = Pattern.compile("\\{\\{\\s*(\\w+)\\s*\\}\\}");
  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((.+),\\s*(\\w+)\\)", Pattern.DOTALL);

  /** The variables that Grafana itself replaces. */
  private static final Map<String, String> BUILT_IN =
      Map.of("__rate_interval", "1m", "__interval", "15s", "__range", "1h");

  private final JsonNode json;

  private Dashboard(JsonNode json) {
    this.json = json;
  }

  /**
   * A query of a panel.
   *
   * @param panel the panel's title
   * @param legend the name of a line, with labels in double braces
   */
  record Target(String panel, String expression, String legend) {}

  static Dashboard read(Path file) throws IOException {
    return new Dashboard(new ObjectMapper().readTree(file.toFile()));
  }

  static Dashboard of(String json) throws IOException {
    return new Dashboard(new ObjectMapper().readTree(json));
  }

  JsonNode json() {
    return json;
  }

  /** Returns all panels except rows; a collapsed row contains its panels. */
  List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    for (JsonNode panel : json.path("panels")) {
      if (panel.path("type").asText().equals("row")) {
        panel.path("panels").forEach(panels::add);
      } else {
        panels.add(panel);
      }
    }
    return panels;
  }

  /** Returns all queries of all panels, including variables. */
  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (JsonNode panel : panels()) {
      for (JsonNode target : panel.path("targets")) {
        targets.add(
            new Target(
                panel.path("title").asText(),
                target.path("expr").asText(),
                target.path("legendFormat").asText()));
      }
    }
    return targets;
  }

  /** Returns the problems of the dashboard with the given series; empty if there are none. */
  List<String> problems(List<Series> series) {
    List<String> problems = new ArrayList<>();
    Map<String, String> variables = variables(series, problems);
    for (Target target : targets()) {
      try {
        check(target, replaced(target.expression, variables), series);
      } catch (IllegalArgumentException e) {
        problems.add("panel \"" + target.panel + "\": " + e.getMessage());
      }
    }
    return problems;
  }

  /** Returns the values of variables: a pattern for all choices, or the first choice. */
  private Map<String, String> variables(List<Series> series, List<String> problems) {
    Map<String, String> values = new LinkedHashMap<>(BUILT_IN);
    for (JsonNode variable : json.path("templating").path("list")) {
      String name = variable.path("name").asText();
      switch (variable.path("type").asText()) {
        case "custom" -> values.put(name, variable.path("query").asText().split(",")[0].strip());
        case "query" -> {
          try {
            values.put(name, values(variable.path("query").path("query").asText(), values, series));
          } catch (IllegalArgumentException e) {
            problems.add("variable " + name + ": " + e.getMessage());
          }
        }
        default -> {}
      }
    }
    return values;
  }

  private static String values(
      String definition, Map<String, String> variables, List<Series> series) {
    Matcher matcher = LABEL_VALUES.matcher(replaced(definition, variables));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not like label_values(metric, label): " + definition);
    }
    String label = matcher.group(2);
    List<Series> selected = new ArrayList<>();
    PromQl.parse(matcher.group(1))
        .selectors()
        .forEach(selector -> selected.addAll(require(selector, series)));
    String values =
        selected.stream()
            .map(one -> one.label(label))
            .filter(value -> !value.isEmpty())
            .distinct()
            .map(value -> value.replaceAll("[.+*?^$()\\[\\]{}|]", "\\\\\\\\$0"))
            .collect(Collectors.joining("|"));
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing has the label " + label + ": " + definition);
    }
    return "(" + values + ")";
  }

  private static String replaced(String text, Map<String, String> variables) {
    return VARIABLE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(value(match, variables)));
  }

  private static String value(MatchResult match, Map<String, String> variables) {
    String name = match.group(1) == null ? match.group(2) : match.group(1);
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no variable " + name);
    }
    return value;
  }

  private static void check(Target target, String expression, List<Series> series) {
    PromQl.Query query = PromQl.parse(expression);
    List<Series> selected = new ArrayList<>();
    for (Selector selector : query.selectors()) {
      selected.addAll(require(selector, series));
    }
    for (String label : query.groupings()) {
      requireLabel(label, selected, "groups by");
    }
    for (MatchResult legend : LEGEND_LABEL.matcher(target.legend).results().toList()) {
      String label = legend.group(1);
      requireLabel(label, selected, "names a line by");
      if (!query.groupings().isEmpty() && !query.groupings().contains(label)) {
        throw new IllegalArgumentException(
            "names a line by " + label + ", which the grouping drops");
      }
    }
  }

  private static List<Series> require(Selector selector, List<Series> series) {
    for (LabelMatcher matcher : selector.matchers()) {
      if (series.stream().noneMatch(matcher.condition())) {
        throw new IllegalArgumentException("nothing has " + matcher);
      }
    }
    List<Series> selected = selector.select(series);
    if (selected.isEmpty()) {
      throw new IllegalArgumentException("nothing is selected by " + selector);
    }
    return selected;
  }

  private static void requireLabel(String label, List<Series> selected, String what) {
    if (selected.stream().allMatch(series -> series.label(label).isEmpty())) {
      throw new IllegalArgumentException(what + " " + label + ", a label that nothing has");
    }
  }
}
