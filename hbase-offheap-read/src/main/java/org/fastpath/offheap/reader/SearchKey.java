package org.fastpath.offheap.reader;

import java.util.Set;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.fastpath.offheap.memory.Memory;

/**
 * The row and the column of a key that is looked for, as memory: what a comparison with a cell in a
 * block looks at first, and nearly always decides it.
 *
 * <p>For one thread; used again for each key.
 */
public final class SearchKey {
  /** By name, because the second is not there in HBase 2.5. */
  private static final Set<String> BYTEWISE =
      Set.of(
          "org.apache.hadoop.hbase.CellComparatorImpl",
          "org.apache.hadoop.hbase.InnerStoreCellComparator");

  private final Memory row = new Memory();
  private long address;
  private int length;

  /** Whether what follows is known: few keys are compared with a cell of the same row. */
  private boolean hasColumn;

  private final Memory familyMemory = new Memory();
  private long family;
  private int familyLength;
  private final Memory qualifierMemory = new Memory();
  private long qualifier;
  private int qualifierLength;

  /** Whether a comparator orders rows as unsigned bytes, as all but that of hbase:meta do. */
  static boolean comparesRowsAsBytes(CellComparator comparator) {
    return BYTEWISE.contains(comparator.getClass().getName());
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

  /** Compares it with a row. */
  int compareRow(Memory other, long otherAddress, int otherLength) {
    return Memory.compare(row, address, length, other, otherAddress, otherLength);
  }

  private void setColumn(Cell key) {
    hasColumn = true;
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
   * Compares its qualifier with that of a cell in the same row.
   *
   * @param key that was {@link #set}
   * @param column where the cell's family is; its qualifier is behind it
   * @return 0 also where a comparator has to say it: families are not the same, or are none
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

  /** Compares its first bytes with as many; less than them too if it has not that many. */
  int compareStart(Memory other, long otherAddress, int bytes) {
    int common = Math.min(length, bytes);
    int order = Memory.compare(row, address, common, other, otherAddress, common);
    return order == 0 ? Integer.compare(common, bytes) : order;
  }

  /** The row's bytes from a place on, for {@link Memory#prefix}'s order. */
  long prefix(int from) {
    return row.prefix(address + from, length - from);
  }
}
