package org.fastpath.tools.install;

import java.util.Arrays;
import java.util.List;

/** Prints the difference of two texts as a unified diff of one hunk. */
final class Diff {
  private static final int CONTEXT = 3;
  private static final String NOWHERE = "/dev/null";

  private final List<String> before;
  private final List<String> after;

  private Diff(String before, String after) {
    this.before = lines(before);
    this.after = lines(after);
  }

  /** Returns the diff. A null text stands for a missing file. */
  static String unified(String name, String before, String after) {
    String old = before == null ? NOWHERE : name;
    String now = after == null ? NOWHERE : name;
    return "--- " + old + "\n+++ " + now + "\n" + new Diff(before, after).hunk();
  }

  /** Each line with its line end, so that a missing last one shows. */
  private static List<String> lines(String text) {
    return text == null || text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\n)"));
  }

  private String hunk() {
    int head = 0;
    int shorter = Math.min(before.size(), after.size());
    while (head < shorter && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    return hunk(head, tail);
  }

  private String hunk(int head, int tail) {
    int first = Math.max(0, head - CONTEXT);
    int behind = Math.min(tail, CONTEXT);
    int oldEnd = before.size() - tail;
    int newEnd = after.size() - tail;
    StringBuilder hunk = new StringBuilder();
    hunk.append("@@ -").append(range(first, oldEnd + behind));
    hunk.append(" +").append(range(first, newEnd + behind)).append(" @@\n");
    append(hunk, ' ', before.subList(first, head));
    append(hunk, '-', before.subList(head, oldEnd));
    append(hunk, '+', after.subList(head, newEnd));
    append(hunk, ' ', before.subList(oldEnd, oldEnd + behind));
    return hunk.toString();
  }

  /** Returns the range. An empty range names the line before it. */
  private static String range(int first, int end) {
    return (end > first ? first + 1 : first) + "," + (end - first);
  }

  private static void append(StringBuilder hunk, char sign, List<String> lines) {
    for (String line : lines) {
      hunk.append(sign).append(line.replace("\r\n", "\n"));
      if (!line.endsWith("\n")) {
        hunk.append("\n\\ No newline at end of file\n");
      }
    }
  }
}
