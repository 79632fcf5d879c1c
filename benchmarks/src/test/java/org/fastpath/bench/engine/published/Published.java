package org.fastpath.bench.engine.published;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.report.Numbers;

/** All published figures of one story. */
public record Published(String story, List<Figure> figures) {
  Map<String, Figure> byId() {
    return figures.stream().collect(Collectors.toMap(Figure::id, Function.identity()));
  }

  /** A figure of a story; {@code value} is null for a figure in words, which are the text. */
  public record Figure(String id, String what, Double value, String text, String unit) {
    String shown() {
      return value == null ? text : number(value) + (unit.isEmpty() ? "" : " " + unit);
    }

    /** Keeps the digits of the story up to four decimals. */
    private static String number(double value) {
      boolean whole = value == Math.rint(value) || String.valueOf(value).contains("E");
      return whole
          ? Numbers.whole(value)
          : String.format(Locale.ROOT, "%,.4f", value).replaceAll("0+$", "");
    }
  }
}
