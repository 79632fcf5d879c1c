package org.fastpath.offheap.reader;

import java.util.Set;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.fastpath.offheap.memory.Memory;

/**
 * The row and the column of a searched key, as memory. A comparison with a cell uses them first,
 * and they nearly always decide it.
 *
 * <p>Not thread-safe; one object serves many keys.
 */
public final class SearchKey {
  /** The names of the classes, because HBase 2.5 does not have the second one. */
  private static final Set<String> BYTEWISE =
      Set.of(
          "org.apache.hadoop.hbase.CellComparatorImpl",
          "org.apache.hadoop.hbase.InnerStoreCellComparator");

  private static final ClassValue<Boolean> IS_BYTEWISE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> comparator) {
          return BYTEWISE.contains(comparator.getName());
        }
      };

  private final Memory row = new Memory();
  private long address;
  private int length;

  /**
   * Whether the column's fields are set. They are set late, because few keys are compared with a
   * cell of the same row.
   */
  private boolean hasColumn;

  private Memory familyMemory;
  private long family;
  private int familyLength;
  private Memory qualifierMemory;
  private long qualifier;
  private int qualifierLength;

  /** Returns whether a comparator orders rows as unsigned bytes. All but that of hbase:meta do. */
  static boolean comparesRowsAsBytes(CellComparator comparator) {
    return IS_BYTEWISE.get(comparator.getClass());
  }

  public void set(Cell key) {
    hasColumn = false;
    length = key.getRowLength();
    if (key instanceof ByteBufferExtendedCell cell) {
      row.wrap(cell.getRowByteBuffer());
      address = cell.getRowPosition();
    } else {
      row.wrap(key.getRowArray());
      address = key.getRowOffset();
    }
  }

  /** Compares the key's row with a row. */
  int compareRow(Memory other, long otherAddress, int otherLength) {
    return Memory.compare(row, address, length, other, otherAddress, otherLength);
  }

  private void setColumn(Cell key) {
    hasColumn = true;
    if (familyMemory == null) {
      familyMemory = new Memory();
      qualifierMemory = new Memory();
    }
    familyLength = key.getFamilyLength();
    qualifierLength = key.getQualifierLength();
    if (key instanceof ByteBufferExtendedCell cell) {
      familyMemory.wrap(cell.getFamilyByteBuffer());
      family = cell.getFamilyPosition();
      qualifierMemory.wrap(cell.getQualifierByteBuffer());
      qualifier = cell.getQualifierPosition();
    } else {
      familyMemory.wrap(key.getFamilyArray());
      family = key.getFamilyOffset();
      qualifierMemory.wrap(key.getQualifierArray());
      qualifier = key.getQualifierOffset();
    }
  }

  /**
   * Compares the key's qualifier with that of a cell in the same row.
   *
   * @param key the key of {@link #set}
   * @param column position of the cell's family; its qualifier is behind it
   * @return 0 also if only a comparator can decide: families are different or empty
   */
  int compareColumn(Cell key, Memory memory, long column, int familyLength, int qualifierLength) {
    if (!hasColumn) {
      setColumn(key);
    }
    if (familyLength != this.familyLength
        || familyLength == 0
        || Memory.mismatch(familyMemory, family, memory, column, familyLength) < familyLength) {
      return 0;
    }
    return Memory.compare(
        qualifierMemory,
        qualifier,
        this.qualifierLength,
        memory,
        column + familyLength,
        qualifierLength);
  }

  /**
   * Compares the row's first bytes with the given number of bytes. A shorter row with equal bytes
   * is less.
   */
  int compareStart(Memory other, long otherAddress, int bytes) {
    int common = Math.min(length, bytes);
    int order = Memory.compare(row, address, common, other, otherAddress, common);
    return order == 0 ? Integer.compare(common, bytes) : order;
  }

  /** Returns the row's bytes from a position on, in the order of {@link Memory#prefix}. */
  long prefix(int from) {
    return row.prefix(address + from, length - from);
  }
}
