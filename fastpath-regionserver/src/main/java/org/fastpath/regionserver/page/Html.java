package org.fastpath.regionserver.page;

import java.util.Locale;
import org.apache.hbase.thirdparty.com.google.common.html.HtmlEscapers;

/** Builds an HTML text. It escapes everything except our own markup. Not thread-safe. */
final class Html {
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};

  private final StringBuilder out = new StringBuilder(16 << 10);

  /** Appends markup of ours. */
  Html markup(String literal) {
    out.append(literal);
    return this;
  }

  /** Appends markup of ours with numbers in it. */
  Html markup(String format, Object... numbers) {
    out.append(String.format(Locale.ROOT, format, numbers));
    return this;
  }

  /** Appends a text, or the value of an attribute, that may hold anything. */
  Html text(String text) {
    out.append(HtmlEscapers.htmlEscaper().escape(text));
    return this;
  }

  /** Appends a cell of a table. */
  Html cell(String text) {
    return markup("<td>").text(text).markup("</td>");
  }

  /** Appends a cell with a number. */
  Html number(String text) {
    return markup("<td class=\"n\">").text(text).markup("</td>");
  }

  /** Appends the head of a table; columns that begin with a hash have numbers. */
  Html head(String... columns) {
    markup("<table><thead><tr>");
    for (String column : columns) {
      boolean number = column.startsWith("#");
      markup(number ? "<th class=\"n\">" : "<th>")
          .text(number ? column.substring(1) : column)
          .markup("</th>");
    }
    return markup("</tr></thead><tbody>");
  }

  /** Ends a table. */
  Html endTable() {
    return markup("</tbody></table>");
  }

  @Override
  public String toString() {
    return out.toString();
  }

  /** Returns a readable number of bytes. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String format = unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, value, UNITS[unit]);
  }

  /** Returns a count with separated thousands. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", part);
  }
}
