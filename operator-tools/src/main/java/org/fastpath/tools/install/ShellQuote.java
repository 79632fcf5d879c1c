package org.fastpath.tools.install;

/** Writes paths into double quotes of a shell script. */
final class ShellQuote {
  private ShellQuote() {}

  static String quoted(String text) {
    return text.replaceAll("([\\\\\"$`])", "\\\\$1");
  }

  /**
   * Returns a path for HADOOP_CLASSPATH, which Hadoop's scripts split at blanks and expand as
   * patterns. A question mark stands for a blank.
   */
  static String pattern(String path) {
    return quoted(path).replace(' ', '?');
  }
}
