package org.fastpath.tools.conf;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * Puts lines between two marker comments into a file's text and takes them out again. The text
 * outside the markers never changes: {@link #without} undoes {@link #with} byte for byte. Texts are
 * decoded as ISO 8859-1, in which each byte is a character.
 */
public final class MarkedBlock {
  /** The syntax of comments in a kind of file, and the place of the block. */
  public enum Syntax {
    /** A shell script; the block is its end. A shell knows no other line end than {@code \n}. */
    SHELL("# ", ""),
    /** A site file; the block stands before the end tag of {@code configuration}. */
    XML("<!-- ", " -->");

    private final String before;
    private final String after;

    Syntax(String before, String after) {
      this.before = before;
      this.after = after;
    }
  }

  private static final String BEGIN = ">>> hbase-fastpath";
  private static final String BEGIN_END =
      " >>> bin/fastpath keeps these lines; uninstall removes them";
  private static final String END = "<<< hbase-fastpath <<<";
  private static final String CREATED = " (made this file)";
  private static final String ENDED_LINE = " (ended the last line)";
  private static final String CLOSING_TAG = "</configuration";
  private static final String EMPTY_XML =
      "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>\n";

  private final Syntax syntax;

  /** Makes a block for files of that syntax. */
  public MarkedBlock(Syntax syntax) {
    this.syntax = syntax;
  }

  /** The lines between the markers, without line ends at their borders; empty without a block. */
  public Optional<String> body(String text) {
    Range range = range(text);
    if (range == null) {
      return Optional.empty();
    }
    String block = text.substring(range.begin, range.end).replace("\r\n", "\n");
    int first = block.indexOf('\n');
    int last = block.lastIndexOf(syntax.before + END);
    return Optional.of(block.substring(first + 1, Math.max(first + 1, last - 1)));
  }

  /** Returns whether a line of the text, counted from 1, stands between the markers. */
  public boolean holdsLine(String text, int line) {
    Range range = range(text);
    if (range == null) {
      return false;
    }
    long last = 1 + lineEnds(text.substring(0, range.end).stripTrailing());
    return line > 1 + lineEnds(text.substring(0, range.begin)) && line < last;
  }

  /**
   * Returns the text with line ends in place of the block, so that other lines keep their place.
   */
  public String blanked(String text) {
    Range range = range(text);
    if (range == null) {
      return text;
    }
    String block = text.substring(range.begin, range.end);
    String blank = "\n".repeat(Math.toIntExact(lineEnds(block)));
    return text.substring(0, range.begin) + blank + text.substring(range.end);
  }

  private static long lineEnds(String text) {
    return text.chars().filter(c -> c == '\n').count();
  }

  /**
   * Returns the text without the block; null if the file contains only a block and the block had
   * made it.
   *
   * @throws ConfException if a marker lacks its partner
   */
  public String without(String text) {
    Range range = range(text);
    if (range == null) {
      return text;
    }
    String head = text.substring(0, range.begin);
    String tail = text.substring(range.end);
    String marker = text.substring(range.begin, endOfComment(text, range.begin));
    if (marker.contains(ENDED_LINE) && tail.isEmpty()) {
      head = head.substring(0, head.length() - 1);
    }
    String rest = head + tail;
    return marker.contains(CREATED) && rest.equals(emptyFile()) ? null : rest;
  }

  /**
   * The text with a block in place of the one it may have.
   *
   * @param text the file's text, null if there is no file
   * @param body lines, separated by {@code \n}, without one at the end
   * @throws ConfException if there is no place for a block
   */
  public String with(String text, String body) {
    String plain = text == null ? null : without(text);
    if (plain == null) {
      return insert(emptyFile(), body, CREATED);
    }
    return insert(plain, body, "");
  }

  private String insert(String plain, String body, String note) {
    int at = place(plain);
    String lineEnd = syntax == Syntax.XML && plain.contains("\r\n") ? "\r\n" : "\n";
    boolean open = syntax == Syntax.SHELL && !plain.isEmpty() && !plain.endsWith("\n");
    String marker = BEGIN + note + (open ? ENDED_LINE : "") + BEGIN_END;
    String block = comment(marker) + "\n" + body + "\n" + comment(END) + "\n";
    String lines = (open ? "\n" : "") + block;
    return plain.substring(0, at) + lines.replace("\n", lineEnd) + plain.substring(at);
  }

  private int place(String plain) {
    if (syntax == Syntax.SHELL) {
      if (plain.stripTrailing().endsWith("\\")) {
        throw new ConfException("its last line goes on (it ends with a backslash)");
      }
      return plain.length();
    }
    int tag = plain.lastIndexOf(CLOSING_TAG);
    if (tag < 0 || plain.indexOf("-->", tag) >= 0) {
      throw new ConfException("there is no </configuration> at its end to put lines before");
    }
    return tag;
  }

  private String comment(String words) {
    return syntax.before + words + syntax.after;
  }

  private String emptyFile() {
    return syntax == Syntax.XML ? EMPTY_XML : "";
  }

  private Range range(String text) {
    int begin = text.indexOf(syntax.before + BEGIN);
    int end = text.indexOf(syntax.before + END);
    if (begin < 0 && end < 0) {
      return null;
    }
    boolean twice = begin >= 0 && text.indexOf(syntax.before + BEGIN, begin + 1) >= 0;
    if (begin < 0 || end < begin || twice) {
      throw new ConfException("its marker lines of hbase-fastpath do not match each other");
    }
    int close =
        syntax.after.isEmpty()
            ? end + syntax.before.length() + END.length()
            : endOfComment(text, end);
    return new Range(begin, close + lineEnd(text, close).length());
  }

  /** Returns the end of a comment: that of its line in a shell script. */
  private int endOfComment(String text, int comment) {
    String mark = syntax.after.isEmpty() ? "\n" : syntax.after.strip();
    int end = text.indexOf(mark, comment);
    if (end < 0 && !syntax.after.isEmpty()) {
      throw new ConfException("a marker line of hbase-fastpath does not end");
    }
    return end < 0 ? text.length() : end + syntax.after.strip().length();
  }

  /** Returns the line end that begins there; empty if there is none. */
  private static String lineEnd(String text, int at) {
    return Stream.of("\r\n", "\n").filter(end -> text.startsWith(end, at)).findFirst().orElse("");
  }

  private record Range(int begin, int end) {}
}
