package org.fastpath.bench.engine.report;

/** Writes HTML that is well-formed XML too, so that a test can parse the page. */
final class Html {
  private Html() {}

  /** Text, made safe for content and attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** An element of a class, around HTML. */
  static String tag(String name, String cssClass, String html) {
    return "<" + name + " class=\"" + cssClass + "\">" + html + "</" + name + ">";
  }

  /** An element around HTML. */
  static String tag(String name, String html) {
    return "<" + name + ">" + html + "</" + name + ">\n";
  }
}
