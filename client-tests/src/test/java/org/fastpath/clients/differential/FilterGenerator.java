package org.fastpath.clients.differential;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Generates texts of filters, including useless ones. */
final class FilterGenerator {
  private static final List<String> OPERATORS =
      List.of("LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_OR_EQUAL", "GREATER");

  private final Random random;
  private final Keys keys;
  private final boolean reverse;

  /**
   * Generates filters for scans.
   *
   * @param reverse whether they are for a reverse scan; a fuzzy filter can make HBase loop there
   */
  FilterGenerator(Random random, Keys keys, boolean reverse) {
    this.random = random;
    this.keys = keys;
    this.reverse = reverse;
  }

  /** Returns a filter; lists are nested up to the given depth. */
  String filter(int depth) {
    int choice = random.nextInt(depth > 0 ? 10 : 7);
    if (choice < 2) {
      return ofRows();
    }
    if (choice < 4) {
      return ofColumns();
    }
    if (choice < 7) {
      return ofValues();
    }
    if (choice == 7) {
      return (random.nextBoolean() ? "skip(" : "while(") + filter(depth - 1) + ")";
    }
    return (random.nextBoolean() ? "all(" : "one(")
        + some(1 + random.nextInt(3), () -> filter(depth - 1))
        + ")";
  }

  private String ofRows() {
    return switch (random.nextInt(reverse ? 6 : 7)) {
      case 0 -> "prefix(" + keys.rowPrefix() + ")";
      case 1 -> "page(" + random.nextInt(20) + ")";
      case 2 -> reverse ? "page(3)" : "stop(" + keys.row() + ")";
      case 3 -> "row(" + comparison(keys.row(), keys.rowPrefix()) + ")";
      case 4, 5 -> "ranges(" + ranges() + ")";
      default -> "fuzzy(" + some(1 + random.nextInt(2), this::fuzzyKey) + ")";
    };
  }

  /** Returns ordered ranges of rows that do not overlap. */
  private String ranges() {
    int count = 1 + random.nextInt(4);
    int begin = random.nextInt(40);
    StringBuilder ranges = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int end = begin + 1 + random.nextInt(60);
      ranges.append(i == 0 ? "" : ",");
      ranges.append(Keys.row(begin)).append(':').append(random.nextBoolean());
      ranges.append(':').append(Keys.row(end)).append(':').append(random.nextBoolean());
      begin = end + 1 + random.nextInt(40);
    }
    return ranges.toString();
  }

  private String fuzzyKey() {
    String row = Keys.row(random.nextInt(Keys.ROWS));
    int free = 1 + random.nextInt(3);
    String mask =
        IntStream.range(0, row.length())
            .mapToObj(i -> i == free || random.nextInt(4) == 0 ? "%01" : "%00")
            .collect(Collectors.joining());
    return row + ":" + mask;
  }

  private String ofColumns() {
    return switch (random.nextInt(10)) {
      case 0 -> "columnPrefix(" + keys.qualifierPrefix() + ")";
      case 1 -> "columnPrefixes(" + some(1 + random.nextInt(3), keys::qualifierPrefix) + ")";
      case 2 -> "columnRange(" + columnRange() + ")";
      case 3 -> "columnPage(" + random.nextInt(5) + "," + random.nextInt(5) + ")";
      case 4 -> "columnPageFrom(" + random.nextInt(5) + "," + keys.qualifier() + ")";
      case 5 -> "columnCount(" + random.nextInt(8) + ")";
      case 6 -> "firstKey()";
      case 7 -> "keyOnly(" + random.nextBoolean() + ")";
      case 8 -> "firstMatching(" + some(1 + random.nextInt(3), keys::qualifier) + ")";
      default -> "qualifier(" + comparison(keys.qualifier(), keys.qualifierPrefix()) + ")";
    };
  }

  private String columnRange() {
    String one = keys.qualifier();
    String other = keys.qualifier();
    boolean inOrder = one.compareTo(other) <= 0;
    return (inOrder ? one : other)
        + ","
        + random.nextBoolean()
        + ","
        + (inOrder ? other : one)
        + ","
        + random.nextBoolean();
  }

  private String ofValues() {
    return switch (random.nextInt(7)) {
      case 0 -> "value(" + comparison(value(), valuePrefix()) + ")";
      case 1 -> "family(" + comparison(keys.family(), keys.family()) + ")";
      case 2 ->
          "timestamps("
              + random.nextBoolean()
              + ","
              + some(1 + random.nextInt(6), () -> Integer.toString(keys.time()))
              + ")";
      case 3 -> "single(" + column() + "," + ofColumn() + ")";
      case 4 -> "singleExclude(" + column() + "," + ofColumn() + ")";
      case 5 -> "columnValue(" + column() + "," + comparison(value(), valuePrefix()) + ")";
      default -> "dependent(" + column() + "," + random.nextBoolean() + dependence() + ")";
    };
  }

  private String column() {
    return keys.family() + "," + keys.qualifier();
  }

  private String ofColumn() {
    return comparison(value(), valuePrefix())
        + ","
        + random.nextBoolean()
        + ","
        + random.nextBoolean();
  }

  private String dependence() {
    return random.nextBoolean() ? "" : "," + comparison(value(), valuePrefix());
  }

  private String value() {
    return Words.word(Words.value(keys.value(20)));
  }

  private String valuePrefix() {
    return Integer.toString(1 + random.nextInt(9));
  }

  private String comparison(String whole, String prefix) {
    String comparator =
        switch (random.nextInt(8)) {
          case 0 -> "prefix:" + prefix;
          case 1 -> "substring:" + (prefix.isEmpty() ? "1" : prefix);
          case 2 -> "regex:.*" + 1 + "[0-4].*";
          // HBase reads beyond the end of a value that is shorter than the component.
          case 3 ->
              whole.startsWith("r")
                  ? "at:" + (1 + random.nextInt(2)) + ":" + random.nextInt(10)
                  : "bytes:" + whole;
          case 4 -> "bits:" + pick(List.of("AND", "OR", "XOR")) + ":" + whole;
          case 5 -> random.nextInt(3) == 0 ? "null" : "bytes:" + prefix;
          default -> "bytes:" + whole;
        };
    return pick(OPERATORS) + "," + comparator;
  }

  private String some(int count, Supplier<String> each) {
    return IntStream.range(0, count).mapToObj(i -> each.get()).collect(Collectors.joining(","));
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
