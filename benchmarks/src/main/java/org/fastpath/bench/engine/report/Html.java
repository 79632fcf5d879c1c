package org.fastpath.bench.engine.report;

/** Writes HTML that is also well-formed XML, so a test can parse the page. */
final class Html {
  private Html() {}

  /** Escapes text for content and attributes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Returns an element of a class around HTML. */
  static String tag(String name, String cssClass, String html) {
    return "<" + name + " class=\"" + cssClass + "\">" + html + "</" + name + ">";
  }

  /** Returns an element around HTML. */
  static String tag(String name, String html) {
    return "<" + name + ">" + html + "</" + name + ">\n";
  }
}
