package org.fastpath.tools.doctor;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The allowed values of a key, from the page of the configuration.
 *
 * @param text of the page
 * @param words the words that are allowed; empty if other words are, too
 * @param least the least number, if it is a number
 * @param greatest the greatest number, if it is a number
 */
record Allowed(
    String text, List<String> words, Optional<BigDecimal> least, Optional<BigDecimal> greatest) {
  private static final Pattern WORDS = Pattern.compile("(?:`[^`.* ]+`(?:, | or )?)+");
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");
  private static final String NUMBER = "([0-9.]+[kmgt]?)";
  private static final Pattern RANGE =
      Pattern.compile(NUMBER + " to " + NUMBER + "(?:[, ].*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern VALUE =
      Pattern.compile("(-?[0-9]+(?:\\.[0-9]+)?)([kmgtKMGT]?)[bB]?");
  private static final String SUFFIXES = "kmgt";
  private static final int STEP = 1024;

  static Allowed of(String text) {
    if (WORDS.matcher(text).matches()) {
      List<String> words = new ArrayList<>();
      Matcher word = WORD.matcher(text);
      while (word.find()) {
        words.add(word.group(1));
      }
      return new Allowed(text, words, Optional.empty(), Optional.empty());
    }
    Matcher range = RANGE.matcher(text);
    return range.matches()
        ? new Allowed(text, List.of(), number(range.group(1)), number(range.group(2)))
        : new Allowed(text, List.of(), Optional.empty(), Optional.empty());
  }

  /** Returns whether the page allows a value. */
  boolean allows(String value) {
    if (!words.isEmpty()) {
      return words.contains(value);
    }
    if (least.isEmpty()) {
      return true;
    }
    Optional<BigDecimal> number = number(value);
    return number.isPresent()
        && number.get().compareTo(least.get()) >= 0
        && greatest.map(g -> number.get().compareTo(g) <= 0).orElse(true);
  }

  /** Returns the allowed values, without the marks of the page. */
  String plain() {
    return text.replace("`", "");
  }

  /** Returns the nearest allowed value; empty if the page allows no words or numbers. */
  Optional<String> nearest(String value) {
    if (!words.isEmpty()) {
      return Optional.of(Spelling.nearest(value, words).orElse(words.get(0)));
    }
    Optional<BigDecimal> number = number(value);
    if (least.isEmpty() || greatest.isEmpty() || number.isEmpty()) {
      return least.map(BigDecimal::toPlainString);
    }
    return Optional.of(number.get().max(least.get()).min(greatest.get()).toPlainString());
  }

  private static Optional<BigDecimal> number(String text) {
    Matcher value = VALUE.matcher(text.trim());
    if (!value.matches()) {
      return Optional.empty();
    }
    int unit = value.group(2).isEmpty() ? 0 : 1 + SUFFIXES.indexOf(lower(value.group(2)));
    return Optional.of(new BigDecimal(value.group(1)).multiply(BigDecimal.valueOf(STEP).pow(unit)));
  }

  private static char lower(String suffix) {
    return Character.toLowerCase(suffix.charAt(0));
  }
}
