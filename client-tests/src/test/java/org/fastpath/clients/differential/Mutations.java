package org.fastpath.clients.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Builds mutations of HBase's client from lines. */
final class Mutations {
  private static final byte TAG_TYPE = 100;

  private final Times times;

  Mutations(Times times) {
    this.times = times;
  }

  /**
   * A cell in a program's notation: family, colon, qualifier, slash, value.
   *
   * @param value the value, or null
   */
  record Column(byte[] family, byte[] qualifier, String value) {
    static Column parse(String text) {
      int colon = text.indexOf(':');
      int slash = text.indexOf('/', colon);
      String qualifier = text.substring(colon + 1, slash < 0 ? text.length() : slash);
      return new Column(
          Bytes.toBytes(text.substring(0, colon)),
          Words.bytes(qualifier),
          slash < 0 ? null : text.substring(slash + 1));
    }
  }

  long millis(Line line) {
    return line.has("ts") ? times.millis(line.number("ts", 0)) : HConstants.LATEST_TIMESTAMP;
  }

  Put put(Line line, byte[] row) throws IOException {
    Put put = new Put(row);
    for (String cell : line.list("cells")) {
      Column column = Column.parse(cell);
      put.add(cell(line, row, column));
    }
    lifetime(line, put);
    return put;
  }

  private Cell cell(Line line, byte[] row, Column column) {
    return cell(row, column, millis(line), Cell.Type.Put, line.get("tag", ""));
  }

  /**
   * Builds a cell.
   *
   * @param tag the value of its only tag; empty for none
   */
  static ExtendedCell cell(byte[] row, Column column, long millis, Cell.Type type, String tag) {
    List<Tag> tags =
        tag.isEmpty() ? List.of() : List.of(new ArrayBackedTag(TAG_TYPE, Words.bytes(tag)));
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(column.family())
        .setQualifier(column.qualifier())
        .setTimestamp(millis)
        .setType(type)
        .setValue(column.value() == null ? new byte[0] : Words.value(column.value()))
        .setTags(tags)
        .build();
  }

  private static void lifetime(Line line, Mutation mutation) {
    if (line.has("ttl")) {
      mutation.setTTL(TimeUnit.SECONDS.toMillis(Times.TTL_SECONDS));
    }
  }

  Delete delete(Line line, byte[] row) {
    Delete delete = new Delete(row);
    long millis = millis(line);
    for (String mark : line.list("marks")) {
      int slash = mark.indexOf('/');
      String target = mark.substring(slash + 1);
      switch (slash < 0 ? mark : mark.substring(0, slash)) {
        case "row" -> delete.setTimestamp(millis);
        case "family" -> delete.addFamily(Bytes.toBytes(target), millis);
        case "version" -> delete.addFamilyVersion(Bytes.toBytes(target), millis);
        case "column" -> {
          Column column = Column.parse(target);
          delete.addColumn(column.family(), column.qualifier(), millis);
        }
        case "columns" -> {
          Column column = Column.parse(target);
          delete.addColumns(column.family(), column.qualifier(), millis);
        }
        default -> throw new IllegalArgumentException("no mark " + mark);
      }
    }
    return delete;
  }

  Increment increment(Line line, byte[] row) throws IOException {
    Increment increment = new Increment(row);
    for (String cell : line.list("cells")) {
      Column column = Column.parse(cell);
      increment.addColumn(
          column.family(), column.qualifier(), Bytes.toLong(Words.value(column.value())));
    }
    if (line.has("from") || line.has("to")) {
      increment.setTimeRange(Requests.from(line, times), Requests.to(line, times));
    }
    lifetime(line, increment);
    return increment.setReturnResults(!line.flag("silent"));
  }

  Append append(Line line, byte[] row) throws IOException {
    Append append = new Append(row);
    for (String cell : line.list("cells")) {
      Column column = Column.parse(cell);
      append.addColumn(column.family(), column.qualifier(), Words.value(column.value()));
    }
    if (line.has("from") || line.has("to")) {
      append.setTimeRange(Requests.from(line, times), Requests.to(line, times));
    }
    lifetime(line, append);
    return append.setReturnResults(!line.flag("silent"));
  }

  /**
   * Builds several mutations of one row from the line's cells, delete markers, increments and
   * appends.
   */
  RowMutations several(Line line, byte[] row) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    if (line.has("cells")) {
      mutations.add(put(line, row));
    }
    if (line.has("marks")) {
      mutations.add(delete(line, row));
    }
    if (line.has("sums")) {
      mutations.add(increment(line.with("cells", line.get("sums")), row));
    }
    if (line.has("ends")) {
      mutations.add(append(line.with("cells", line.get("ends")), row));
    }
    return RowMutations.of(mutations);
  }

  CheckAndMutate checked(Line line) throws IOException {
    byte[] row = Words.bytes(line.get("row"));
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(row);
    if (line.has("filter")) {
      builder.ifMatches(Filters.parse(line.get("filter"), times));
    }
    if (line.has("if")) {
      condition(builder, line.get("if"));
    }
    if (line.has("from") || line.has("to")) {
      builder.timeRange(TimeRange.between(Requests.from(line, times), Requests.to(line, times)));
    }
    Line changes = line.without("from").without("to");
    return switch (line.get("then")) {
      case "put" -> builder.build(put(changes, row));
      case "delete" -> builder.build(delete(changes, row));
      case "increment" -> builder.build(increment(changes, row));
      case "append" -> builder.build(append(changes, row));
      default -> builder.build(several(changes, row));
    };
  }

  private static void condition(CheckAndMutate.Builder builder, String condition) {
    int slash = condition.indexOf('/');
    String operator = condition.substring(0, slash);
    Column column = Column.parse(condition.substring(slash + 1));
    if (operator.equals("missing")) {
      builder.ifNotExists(column.family(), column.qualifier());
    } else {
      builder.ifMatches(
          column.family(),
          column.qualifier(),
          CompareOperator.valueOf(operator),
          Words.value(column.value()));
    }
  }
}
