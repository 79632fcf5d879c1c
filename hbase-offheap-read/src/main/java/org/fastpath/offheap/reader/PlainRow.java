package org.fastpath.offheap.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.memory.Memory;

/**
 * Selects the cells that a scan returns from a plain row. All cells of such a row are in one block.
 * They are puts without tags that have not expired, and the scan's read point sees them. So nothing
 * is merged or deleted, and only columns and versions decide.
 *
 * <p>Not thread-safe. A scanner uses one object for all its rows.
 */
public final class PlainRow {
  /** The scan returns the cell. */
  static final int TAKEN = 1;

  /** The scan does not return the cell. */
  static final int SKIPPED = 0;

  /** The row is not plain. */
  static final int REFUSED = -1;

  private static final byte PUT = KeyValue.Type.Put.getCode();

  private final long readPoint;
  private final long oldest;
  private final int versions;

  /** Whether a row in which a column has two versions is not plain. */
  private final boolean oneVersion;

  /** The scan's columns in their order; null for all. */
  private final Memory[] columns;

  /** The cells of the current row, apart from the caller's list, which may be of any kind. */
  private final List<Cell> cells = new ArrayList<>();

  private long dataBytes;
  private long heapBytes;
  private long seenBytes;

  private boolean skipping;
  private boolean seeks;

  /** The next column that the scan asks for. */
  private int column;

  /** The qualifier and the time of the last cell; its length is -1 before the first one. */
  private long last;

  private int lastLength;
  private long lastTime;

  /** The versions of the last cell's column at which HBase would have looked. */
  private int seen;

  /**
   * Selects for a scan.
   *
   * @param oldest the earliest time of a cell that has not expired, in milliseconds
   * @param versions the most versions of a column
   * @param columns qualifiers of the columns; null or empty for all
   * @param oneVersion whether a row in which a column has two versions is not plain
   */
  public PlainRow(
      long readPoint, long oldest, int versions, NavigableSet<byte[]> columns, boolean oneVersion) {
    this.readPoint = readPoint;
    this.oldest = Math.max(0, oldest);
    this.versions = versions;
    this.oneVersion = oneVersion;
    this.columns =
        columns == null || columns.isEmpty()
            ? null
            : columns.stream().map(Memory::of).toArray(Memory[]::new);
  }

  /** Begins a row. */
  void begin() {
    cells.clear();
    dataBytes = 0;
    heapBytes = 0;
    seenBytes = 0;
    skipping = false;
    seeks = false;
    column = 0;
    lastLength = -1;
    seen = 0;
  }

  /** Returns the row's cells; the next row replaces them. */
  public List<Cell> cells() {
    return cells;
  }

  /** Returns the bytes of these cells, as HBase counts them for limits. */
  public long dataBytes() {
    return dataBytes;
  }

  /** Returns their bytes on the heap, as HBase counts them. */
  public long heapBytes() {
    return heapBytes;
  }

  /** Returns the bytes of the row's cells at which HBase's scanner would have looked. */
  public long seenBytes() {
    return seenBytes;
  }

  /**
   * Returns whether these bytes are right only if HBase goes from column to column, as it does in
   * most blocks. In the others it seeks the next wanted column, and looks at none in between.
   */
  public boolean isSkipping() {
    return skipping;
  }

  /** Returns whether HBase seeks in the row, unless it knows where the block ends. */
  public boolean seeks() {
    return seeks;
  }

  /** Looks at the row's next cell; returns {@link #TAKEN}, {@link #SKIPPED} or {@link #REFUSED}. */
  int look(Memory memory, long at, PlainCell cell) {
    long family = PlainCell.row(at) + cell.rowLength;
    int familyLength = memory.getByte(family);
    long qualifier = family + Byte.BYTES + familyLength;
    int length = cell.qualifierLength(familyLength);
    long time = memory.bigEndianLong(qualifier + length);
    if (memory.getByte(qualifier + length + Long.BYTES) != PUT
        || cell.tagsLength > 0
        || cell.sequence > readPoint
        || time < oldest
        || time == HConstants.LATEST_TIMESTAMP) {
      return REFUSED;
    }
    boolean same =
        length == lastLength && Memory.mismatch(memory, last, memory, qualifier, length) == length;
    if (same && oneVersion) {
      return REFUSED;
    }
    boolean duplicate = same && time == lastTime;
    last = qualifier;
    lastLength = length;
    lastTime = time;
    if (!same) {
      beginColumn(memory, qualifier, length, cell);
    }
    if (!duplicate && seen < versions) {
      seen++;
      seeks |= columns != null && seen == versions;
      return TAKEN;
    }
    // A seek behind an empty qualifier only reaches the next version.
    skipping |= length == 0;
    // HBase skips duplicates of wanted cells, and then looks at one cell too many of each column.
    if (seen < versions || (columns == null && seen == versions)) {
      seenBytes += serializedSize(cell);
      seeks |= !duplicate;
      seen += duplicate ? 0 : 1;
    }
    return SKIPPED;
  }

  private void beginColumn(Memory memory, long qualifier, int length, PlainCell cell) {
    if (columns == null) {
      seen = 0;
      return;
    }
    // HBase is done with a row that has all versions of all columns.
    boolean looksFurther = column < columns.length || seen < versions;
    boolean wanted = isWanted(memory, qualifier, length);
    if (!wanted && looksFurther) {
      seenBytes += serializedSize(cell);
      seeks = true;
      // It may seek the next wanted column, unless it waits for another version of the last one.
      skipping |= seen >= versions;
    }
    seen = wanted ? 0 : versions;
  }

  private boolean isWanted(Memory memory, long qualifier, int length) {
    while (column < columns.length) {
      Memory wanted = columns[column];
      int order = Memory.compare(memory, qualifier, length, wanted, 0, (int) wanted.bytes());
      if (order < 0) {
        return false;
      }
      column++;
      if (order == 0) {
        return true;
      }
    }
    return false;
  }

  private static int serializedSize(PlainCell cell) {
    return PlainCell.LENGTHS + cell.keyLength + cell.valueLength + Bytes.SIZEOF_INT;
  }

  /** Adds a cell that was taken. */
  void add(Cell cell) {
    int bytes = PrivateCellUtil.estimatedSerializedSizeOf(cell);
    dataBytes += bytes;
    seenBytes += bytes;
    heapBytes += cell.heapSize();
    cells.add(cell);
  }
}
