package org.fastpath.tools.conf;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Splits a line of a shell script into words, up to the end of the first command. */
final class ShellWords {
  private final UnaryOperator<String> expand;
  private final List<String> words = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private final StringBuilder piece = new StringBuilder();
  private char quote;
  private boolean inWord;
  private boolean done;

  private ShellWords(UnaryOperator<String> expand) {
    this.expand = expand;
  }

  /**
   * Returns the words of a line without quotes and comment.
   *
   * @param expand replaces references to variables; it is not called for text in single quotes
   */
  static List<String> of(String line, UnaryOperator<String> expand) {
    ShellWords words = new ShellWords(expand);
    for (int i = 0; i < line.length() && !words.done; i++) {
      words.next(line.charAt(i));
    }
    words.endWord();
    return words.words;
  }

  private void next(char c) {
    if (quote != 0) {
      quoted(c);
    } else if (c == '"' || c == '\'') {
      endPiece();
      quote = c;
      inWord = true;
    } else if (Character.isWhitespace(c)) {
      endWord();
    } else if (c == ';' || c == '#' && !inWord) {
      done = true;
    } else {
      piece.append(c);
      inWord = true;
    }
  }

  private void quoted(char c) {
    if (c == quote) {
      endPiece();
      quote = 0;
    } else {
      piece.append(c);
    }
  }

  /** Ends a piece, the text between two quotes. */
  private void endPiece() {
    String text = piece.toString();
    word.append(quote == '\'' ? text : expand.apply(text));
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
}
