package org.fastpath.bench.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses an expression of Prometheus' query language and returns its selectors. It supports the
 * grammar of dashboards and the names of functions and aggregations. It checks whether a function
 * takes a range ({@code rate}). It computes nothing.
 */
final class PromQl {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:"
              + "(?<string>\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')"
              + "|(?<number>\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?:(?:ms|[smhdwy])(?:\\d+(?:ms|[smhdwy]))*)?)"
              + "|(?<word>[a-zA-Z_][a-zA-Z0-9_:]*)"
              + "|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^=<>(){}\\[\\],@:]))");
  private static final Set<String> AGGREGATIONS =
      Set.of("sum", "min", "max", "avg", "count", "topk", "bottomk", "quantile", "group", "stddev");
  private static final Set<String> OF_RANGE =
      Set.of(
          "rate", "irate", "increase", "delta", "max_over_time", "min_over_time", "avg_over_time");
  private static final Set<String> OF_INSTANT =
      Set.of(
          "abs", "ceil", "clamp_max", "clamp_min", "floor", "label_replace", "round", "sort_desc");
  private static final Set<String> BINARY =
      Set.of("+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless");
  private static final Set<String> MATCHER_SIGNS = Set.of("=", "!=", "=~", "!~");
  private static final Pattern DURATION = Pattern.compile("(\\d+(ms|[smhdwy]))+");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private final List<Selector> selectors = new ArrayList<>();
  private final Set<String> groupings = new TreeSet<>();

  private enum Kind {
    STRING,
    NUMBER,
    WORD,
    SIGN,
    END
  }

  private record Token(Kind kind, String text) {}

  /**
   * A parsed expression.
   *
   * @param selectors in their order in the text
   * @param groupings the labels by which results are grouped or joined
   */
  record Query(List<Selector> selectors, Set<String> groupings) {}

  private PromQl(String text) {
    this.text = text;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      tokens.add(token(matcher));
      end = matcher.end();
    }
    if (!text.substring(end).isBlank()) {
      throw wrong("cannot be read from \"" + text.substring(end) + "\" on");
    }
    tokens.add(new Token(Kind.END, "the end"));
  }

  private static Token token(Matcher matcher) {
    for (Kind kind : List.of(Kind.STRING, Kind.NUMBER, Kind.WORD)) {
      String found = matcher.group(kind.name().toLowerCase(Locale.ROOT));
      if (found != null) {
        return new Token(kind, found);
      }
    }
    return new Token(Kind.SIGN, matcher.group("sign"));
  }

  /**
   * Parses an expression.
   *
   * @throws IllegalArgumentException naming the error
   */
  static Query parse(String text) {
    PromQl parser = new PromQl(text);
    boolean range = parser.expression();
    if (parser.peek().kind != Kind.END) {
      throw parser.wrong("does not end before \"" + parser.peek().text + "\"");
    }
    if (range) {
      throw parser.wrong("is a range, of which no graph can be drawn");
    }
    return new Query(List.copyOf(parser.selectors), Set.copyOf(parser.groupings));
  }

  /** Parses operands and operators between them; returns whether the result is a range. */
  private boolean expression() {
    boolean range = operand();
    while (BINARY.contains(peek().text) && peek().kind != Kind.STRING) {
      next();
      accept("bool");
      if (accept("on") || accept("ignoring")) {
        labels();
        if (accept("group_left") || accept("group_right")) {
          optionalLabels();
        }
      }
      if (range | operand()) {
        throw wrong("has an operator on a range");
      }
    }
    return range;
  }

  private boolean operand() {
    while (accept("-") || accept("+")) {
      // a sign changes nothing here
    }
    boolean range = primary();
    if (accept("[")) {
      duration();
      if (accept(":") && !peek().text.equals("]")) {
        duration();
      }
      expect("]");
      if (range) {
        throw wrong("has a range of a range");
      }
      range = true;
    }
    if (accept("offset")) {
      accept("-");
      duration();
    }
    return range;
  }

  private boolean primary() {
    Token token = next();
    if (token.kind == Kind.NUMBER || token.kind == Kind.STRING) {
      return false;
    }
    if (token.text.equals("(")) {
      boolean range = expression();
      expect(")");
      return range;
    }
    if (token.text.equals("{")) {
      selector(new ArrayList<>());
      return false;
    }
    if (token.kind != Kind.WORD) {
      throw wrong("has \"" + token.text + "\" where a value should be");
    }
    return word(token.text);
  }

  private boolean word(String word) {
    if (AGGREGATIONS.contains(word)) {
      boolean grouped = grouping();
      arguments(word, false);
      if (!grouped) {
        grouping();
      }
    } else if (peek().text.equals("(")) {
      if (!OF_RANGE.contains(word) && !OF_INSTANT.contains(word)) {
        throw wrong("calls " + word + ", which is no function");
      }
      arguments(word, OF_RANGE.contains(word));
    } else {
      List<LabelMatcher> matchers = new ArrayList<>();
      matchers.add(new LabelMatcher(LabelMatcher.NAME, "=", word));
      if (accept("{")) {
        selector(matchers);
      } else {
        selectors.add(new Selector(matchers));
      }
    }
    return false;
  }

  private boolean grouping() {
    if (accept("by") || accept("without")) {
      labels();
      return true;
    }
    return false;
  }

  private void arguments(String function, boolean wantsRange) {
    boolean range = false;
    expect("(");
    do {
      range |= expression();
    } while (accept(","));
    expect(")");
    if (range != wantsRange) {
      throw wrong("gives " + function + (range ? " a range" : " no range"));
    }
  }

  /** Parses the conditions after the opening brace. */
  private void selector(List<LabelMatcher> matchers) {
    while (!accept("}")) {
      String label = word();
      String sign = next().text;
      Token value = next();
      if (!MATCHER_SIGNS.contains(sign) || value.kind != Kind.STRING) {
        throw wrong("has a matcher of " + label + " that is not like label=\"value\"");
      }
      matchers.add(new LabelMatcher(label, sign, unquoted(value.text)));
      if (!accept(",") && !peek().text.equals("}")) {
        throw wrong("lacks a comma or brace behind " + label + sign + value.text);
      }
    }
    selectors.add(new Selector(List.copyOf(matchers)));
  }

  private static String unquoted(String string) {
    return string.substring(1, string.length() - 1).replaceAll("\\\\(.)", "$1");
  }

  private void optionalLabels() {
    if (peek().text.equals("(")) {
      labels();
    }
  }

  private void labels() {
    expect("(");
    while (!accept(")")) {
      groupings.add(word());
      if (!accept(",") && !peek().text.equals(")")) {
        throw wrong("lacks a comma or parenthesis in a list of labels");
      }
    }
  }

  private String word() {
    Token token = next();
    if (token.kind != Kind.WORD) {
      throw wrong("has \"" + token.text + "\" where a label should be");
    }
    return token.text;
  }

  private void duration() {
    String duration = next().text;
    if (!DURATION.matcher(duration).matches()) {
      throw wrong("has " + duration + " where a duration should be");
    }
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token next() {
    Token token = tokens.get(at);
    if (token.kind == Kind.END) {
      throw wrong("ends too soon");
    }
    at++;
    return token;
  }

  private boolean accept(String expected) {
    if (peek().kind != Kind.STRING && peek().text.equals(expected)) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(String expected) {
    if (!accept(expected)) {
      throw wrong("has \"" + peek().text + "\" where \"" + expected + "\" should be");
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("expression " + what + ": " + text);
  }
}
