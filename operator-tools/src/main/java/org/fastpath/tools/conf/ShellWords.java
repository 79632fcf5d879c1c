package org.fastpath.tools.conf;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a shell script into the words of its commands. Quotes and a backslash at the end of a line
 * may extend a command over several lines.
 */
final class ShellWords {
  private static final String SEPARATORS = "\n;&|";
  private static final String ESCAPED_IN_QUOTES = "\"\\$`\n";

  private final String script;
  private final Shell shell;
  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private final StringBuilder piece = new StringBuilder();
  private int at;
  private int line = 1;
  private int firstLine = 1;
  private char quote;
  private boolean inWord;

  /** Takes the commands of a script, in order. */
  interface Shell {
    /** Replaces references to variables. It is not called for text in single quotes. */
    String expand(String text, int line);

    /**
     * Takes the words of a command without quotes.
     *
     * @param line of its first word, from 1
     */
    void command(List<String> words, int line);
  }

  private ShellWords(String script, Shell shell) {
    this.script = script;
    this.shell = shell;
  }

  /** Reads a script. */
  static void read(String script, Shell shell) {
    ShellWords words = new ShellWords(script.replace("\r\n", "\n"), shell);
    while (words.at < words.script.length()) {
      words.next(words.script.charAt(words.at++));
    }
    words.endCommand();
  }

  private void next(char c) {
    if (c == '\\' && quote != '\'' && at < script.length() && isEscaped(script.charAt(at))) {
      escaped(script.charAt(at++));
    } else if (quote != 0) {
      quoted(c);
    } else if (c == '"' || c == '\'') {
      beginWord();
      endPiece();
      quote = c;
    } else if (c == '#' && !inWord) {
      skipComment();
    } else if (SEPARATORS.indexOf(c) >= 0) {
      endCommand();
      countLine(c);
    } else if (Character.isWhitespace(c)) {
      endWord();
    } else {
      beginWord();
      piece.append(c);
    }
  }

  private boolean isEscaped(char c) {
    return quote == 0 || ESCAPED_IN_QUOTES.indexOf(c) >= 0;
  }

  private void escaped(char c) {
    countLine(c);
    if (c != '\n') {
      beginWord();
      endPiece();
      word.append(c);
    }
  }

  private void quoted(char c) {
    countLine(c);
    if (c == quote) {
      endPiece();
      quote = 0;
    } else {
      piece.append(c);
    }
  }

  private void skipComment() {
    int end = script.indexOf('\n', at);
    at = end < 0 ? script.length() : end;
  }

  private void countLine(char c) {
    line += c == '\n' ? 1 : 0;
  }

  private void beginWord() {
    if (!inWord && words.isEmpty()) {
      firstLine = line;
    }
    inWord = true;
  }

  /** Ends a piece, the text between two quotes. */
  private void endPiece() {
    String text = piece.toString();
    word.append(quote == '\'' ? text : shell.expand(text, firstLine));
    piece.setLength(0);
  }

  private void endWord() {
    endPiece();
    if (inWord) {
      words.add(word.toString());
    }
    word.setLength(0);
    inWord = false;
  }

  private void endCommand() {
    endWord();
    if (!words.isEmpty()) {
      shell.command(List.copyOf(words), firstLine);
    }
    words.clear();
  }
}
