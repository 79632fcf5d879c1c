package org.fastpath.bench.engine.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes HTML and SVG that is also well-formed XML, so a test can parse the page. */
public final class Html {
  private Html() {}

  /** Escapes text for content and attributes. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Returns the text of a file beside this class. */
  static String resource(String name) throws IOException {
    try (InputStream file = Html.class.getResourceAsStream(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns an element of a class around HTML. */
  static String tag(String name, String cssClass, String html) {
    return "<" + name + " class=\"" + cssClass + "\">" + html + "</" + name + ">";
  }

  /** Returns an element around HTML. */
  static String tag(String name, String html) {
    return "<" + name + ">" + html + "</" + name + ">\n";
  }

  /**
   * Returns an element of SVG.
   *
   * @param content its content, escaped; empty for none
   * @param attributes names and values by turns; a double gets one decimal
   */
  public static String svg(String name, String content, Object... attributes) {
    StringBuilder svg = new StringBuilder("<" + name);
    for (int i = 0; i < attributes.length; i += 2) {
      String format = attributes[i + 1] instanceof Double ? "%.1f" : "%s";
      String value = escape(String.format(Locale.ROOT, format, attributes[i + 1]));
      svg.append(" " + attributes[i] + "=\"" + value + "\"");
    }
    return svg.append(content.isEmpty() ? "/>" : ">" + content + "</" + name + ">").toString();
  }

  /** Returns a drawing as inline SVG, with a label for people who do not see it. */
  static String drawing(String cssClass, int width, int height, String label, String content) {
    String box = " viewBox=\"0 0 " + width + " " + height + "\" role=\"img\"";
    String head =
        "<svg class=\"" + cssClass + "\"" + box + " aria-label=\"" + escape(label) + "\">";
    return head + "\n" + content + "</svg>\n";
  }
}
