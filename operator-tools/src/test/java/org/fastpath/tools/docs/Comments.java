package org.fastpath.tools.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The comments of a Java source: their prose by sentences. Code is the word CODE. */
final class Comments {
  private static final Pattern COMMENT_OR_LITERAL =
      Pattern.compile(
          "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'"
              + "|/\\*[\\s\\S]*?\\*/|//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*");
  private static final Pattern PREFIX = Pattern.compile("(?m)^[ \\t]*(?:/\\*\\*?|//|\\*(?!/))[ ]?");
  private static final Pattern LAYOUT = Pattern.compile("(?s)<pre>.*?</pre>");
  private static final Pattern LABELLED_LINK =
      Pattern.compile("\\{@link(?:plain)?\\s+[^\\s}]+\\s+([^}]*)\\}");
  private static final Pattern INLINE_TAG =
      Pattern.compile("\\{@(?:code|link|linkplain|value|literal)\\s+([^}]*)\\}");
  private static final Pattern BLOCK =
      Pattern.compile("</?(?:p|ul|ol|li|table|tr|h\\d|dl|dt|dd)(?:\\s[^>]*)?>");
  private static final Pattern MARKUP = Pattern.compile("</?[a-z][^>]*>");
  private static final Pattern TAG = Pattern.compile("(?m)^[ \\t]*@(?=[a-z])");
  private static final Pattern END = Pattern.compile("(?<=[.!?:;])[\"”)]?\\s+(?=[\\p{Lu}“\"(\\d])");

  private Comments() {}

  /** Returns the comments of a source, without their marks. Lines of one comment are together. */
  static List<String> of(String source) {
    return COMMENT_OR_LITERAL
        .matcher(source)
        .results()
        .map(m -> m.group())
        .filter(text -> text.startsWith("/"))
        .map(text -> PREFIX.matcher(text.replaceAll("\\*/$", "")).replaceAll(""))
        .toList();
  }

  /** Returns the sentences of a comment. */
  static List<String> sentences(String comment) {
    String text = LAYOUT.matcher(comment).replaceAll(" . ");
    text = LABELLED_LINK.matcher(text).replaceAll("$1");
    text = INLINE_TAG.matcher(text).replaceAll("CODE");
    text = BLOCK.matcher(text).replaceAll("\n\n");
    text = MARKUP.matcher(text).replaceAll("");
    text = TAG.matcher(text).replaceAll("\n\n@");
    List<String> sentences = new ArrayList<>();
    for (String paragraph : text.split("\\n\\s*\\n")) {
      Stream.of(END.split(paragraph.strip().replaceAll("\\s+", " ")))
          .map(String::strip)
          .filter(sentence -> !sentence.isEmpty())
          .forEach(sentences::add);
    }
    return sentences;
  }
}
