package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Builds HBase's filters from their text. */
final class Filters {
  private Filters() {}

  static Filter parse(String text, Times times) {
    return filter(Term.parse(text), times);
  }

  /** Returns texts of filters that are one step simpler. */
  static List<String> simpler(String text) {
    return Term.parse(text).simpler().stream().map(Term::toString).toList();
  }

  private static Filter filter(Term term, Times times) {
    return switch (term.name()) {
      case "all" -> new FilterList(FilterList.Operator.MUST_PASS_ALL, filters(term, times));
      case "one" -> new FilterList(FilterList.Operator.MUST_PASS_ONE, filters(term, times));
      case "skip" -> new SkipFilter(filter(term.terms().get(0), times));
      case "while" -> new WhileMatchFilter(filter(term.terms().get(0), times));
      case "timestamps" -> timestamps(term, times);
      case "row", "qualifier", "family", "value" -> compared(term);
      case "single", "singleExclude", "columnValue", "dependent" -> ofColumn(term);
      case "fuzzy", "ranges", "prefix", "stop", "page" -> ofRows(term);
      default -> ofColumns(term);
    };
  }

  private static List<Filter> filters(Term term, Times times) {
    return term.terms().stream()
        .map(each -> filter(each, times))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static Filter timestamps(Term term, Times times) {
    List<Long> stamps =
        term.words(1).stream()
            .map(word -> times.millis(Long.parseLong(word)))
            .collect(Collectors.toCollection(ArrayList::new));
    return new TimestampsFilter(stamps, Boolean.parseBoolean(term.word(0)));
  }

  private static Filter ofRows(Term term) {
    return switch (term.name()) {
      case "prefix" -> new PrefixFilter(bytes(term, 0));
      case "stop" -> new InclusiveStopFilter(bytes(term, 0));
      case "page" -> new PageFilter(number(term, 0));
      case "fuzzy" -> {
        List<Pair<byte[], byte[]>> keys = new ArrayList<>();
        for (Term key : term.terms()) {
          String[] parts = key.name().split(":");
          keys.add(new Pair<>(Words.bytes(parts[0]), Words.bytes(parts[1])));
        }
        yield new FuzzyRowFilter(keys);
      }
      case "ranges" -> {
        List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
        for (Term range : term.terms()) {
          String[] parts = range.name().split(":");
          ranges.add(
              new MultiRowRangeFilter.RowRange(
                  Words.bytes(parts[0]),
                  Boolean.parseBoolean(parts[1]),
                  Words.bytes(parts[2]),
                  Boolean.parseBoolean(parts[3])));
        }
        yield new MultiRowRangeFilter(ranges);
      }
      default -> throw unknown(term);
    };
  }

  private static Filter ofColumns(Term term) {
    return switch (term.name()) {
      case "columnPrefix" -> new ColumnPrefixFilter(bytes(term, 0));
      case "columnPrefixes" ->
          new MultipleColumnPrefixFilter(
              term.words(0).stream().distinct().map(Words::bytes).toArray(byte[][]::new));
      case "columnRange" ->
          new ColumnRangeFilter(bytes(term, 0), flag(term, 1), bytes(term, 2), flag(term, 3));
      case "columnPage" -> new ColumnPaginationFilter(number(term, 0), number(term, 1));
      case "columnPageFrom" -> new ColumnPaginationFilter(number(term, 0), bytes(term, 1));
      case "columnCount" -> new ColumnCountGetFilter(number(term, 0));
      case "firstKey" -> new FirstKeyOnlyFilter();
      case "firstMatching" -> {
        Set<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
        term.words(0).forEach(word -> qualifiers.add(Words.bytes(word)));
        yield firstMatching(qualifiers);
      }
      case "keyOnly" -> new KeyOnlyFilter(flag(term, 0));
      default -> throw unknown(term);
    };
  }

  @SuppressWarnings("deprecation") // Clients still use this deprecated filter, so the test
  // compares it.
  private static Filter firstMatching(Set<byte[]> qualifiers) {
    return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
  }

  private static Filter compared(Term term) {
    CompareOperator operator = CompareOperator.valueOf(term.word(0));
    ByteArrayComparable comparator = comparator(term.word(1));
    return switch (term.name()) {
      case "row" -> new RowFilter(operator, comparator);
      case "qualifier" -> new QualifierFilter(operator, comparator);
      case "family" -> new FamilyFilter(operator, comparator);
      default -> new ValueFilter(operator, comparator);
    };
  }

  /** Builds a filter whose first arguments are family and qualifier. */
  private static Filter ofColumn(Term term) {
    byte[] family = bytes(term, 0);
    byte[] qualifier = bytes(term, 1);
    if (term.name().equals("dependent")) {
      return term.terms().size() > 3
          ? new DependentColumnFilter(
              family, qualifier, flag(term, 2), operator(term, 3), comparator(term.word(4)))
          : new DependentColumnFilter(family, qualifier, flag(term, 2));
    }
    CompareOperator operator = operator(term, 2);
    ByteArrayComparable comparator = comparator(term.word(3));
    if (term.name().equals("columnValue")) {
      return new ColumnValueFilter(family, qualifier, operator, comparator);
    }
    SingleColumnValueFilter filter =
        term.name().equals("single")
            ? new SingleColumnValueFilter(family, qualifier, operator, comparator)
            : new SingleColumnValueExcludeFilter(family, qualifier, operator, comparator);
    filter.setFilterIfMissing(flag(term, 4));
    filter.setLatestVersionOnly(flag(term, 5));
    return filter;
  }

  /** Builds a comparator from its kind and, after a colon, its operand. */
  static ByteArrayComparable comparator(String text) {
    String[] parts = text.split(":", -1);
    return switch (parts[0]) {
      case "bytes" -> new BinaryComparator(Words.bytes(parts[1]));
      case "prefix" -> new BinaryPrefixComparator(Words.bytes(parts[1]));
      case "at" -> new BinaryComponentComparator(Words.bytes(parts[2]), Integer.parseInt(parts[1]));
      case "bits" ->
          new BitComparator(Words.bytes(parts[2]), BitComparator.BitwiseOp.valueOf(parts[1]));
      case "null" -> new NullComparator();
      case "long" -> new LongComparator(Long.parseLong(parts[1]));
      case "substring" -> new SubstringComparator(parts[1]);
      case "regex" -> new RegexStringComparator(parts[1]);
      default -> throw new IllegalArgumentException("no comparator " + text);
    };
  }

  private static CompareOperator operator(Term term, int index) {
    return CompareOperator.valueOf(term.word(index));
  }

  private static byte[] bytes(Term term, int index) {
    return Words.bytes(term.word(index));
  }

  private static int number(Term term, int index) {
    return Integer.parseInt(term.word(index));
  }

  private static boolean flag(Term term, int index) {
    return Boolean.parseBoolean(term.word(index));
  }

  private static IllegalArgumentException unknown(Term term) {
    return new IllegalArgumentException("no filter " + term);
  }
}
