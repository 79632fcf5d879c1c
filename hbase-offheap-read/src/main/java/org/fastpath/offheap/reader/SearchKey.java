package org.fastpath.offheap.reader;

import java.util.Set;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;

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

  private Object base;
  private long address;
  private int length;

  /** Whether what follows is known: few keys are compared with a cell of the same row. */
  private boolean hasColumn;

  private Object familyBase;
  private long family;
  private int familyLength;
  private Object qualifierBase;
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
      base = RawMemory.base(cell.getRowByteBuffer());
      address = RawMemory.address(cell.getRowByteBuffer()) + cell.getRowPosition();
    } else {
      base = key.getRowArray();
      address = RawMemory.address(key.getRowOffset());
    }
  }

  /** Compares it with a row. */
  int compareRow(Object otherBase, long otherAddress, int otherLength) {
    return RawMemory.compare(base, address, length, otherBase, otherAddress, otherLength);
  }

  private void setColumn(Cell key) {
    hasColumn = true;
    familyLength = key.getFamilyLength();
    qualifierLength = key.getQualifierLength();
    if (key instanceof ByteBufferExtendedCell cell) {
      familyBase = RawMemory.base(cell.getFamilyByteBuffer());
      family = RawMemory.address(cell.getFamilyByteBuffer()) + cell.getFamilyPosition();
      qualifierBase = RawMemory.base(cell.getQualifierByteBuffer());
      qualifier = RawMemory.address(cell.getQualifierByteBuffer()) + cell.getQualifierPosition();
    } else {
      familyBase = key.getFamilyArray();
      family = RawMemory.address(key.getFamilyOffset());
      qualifierBase = key.getQualifierArray();
      qualifier = RawMemory.address(key.getQualifierOffset());
    }
  }

  /**
   * Compares its qualifier with that of a cell in the same row.
   *
   * @param key that was {@link #set}
   * @param column where the cell's family is; its qualifier is behind it
   * @return 0 also where a comparator has to say it: families are not the same, or are none
   */
  int compareColumn(Cell key, Object base, long column, int familyLength, int qualifierLength) {
    if (!hasColumn) {
      setColumn(key);
    }
    if (familyLength != this.familyLength
        || familyLength == 0
        || RawMemory.mismatch(familyBase, family, base, column, familyLength) < familyLength) {
      return 0;
    }
    return RawMemory.compare(
        qualifierBase,
        qualifier,
        this.qualifierLength,
        base,
        column + familyLength,
        qualifierLength);
  }

  /** Compares its first bytes with as many; less than them too if it has not that many. */
  int compareStart(Object otherBase, long otherAddress, int bytes) {
    int common = Math.min(length, bytes);
    int order = RawMemory.compare(base, address, common, otherBase, otherAddress, common);
    return order == 0 ? Integer.compare(common, bytes) : order;
  }

  /** The row's bytes from a place on, for {@link RawMemory#prefix}'s order. */
  long prefix(int from) {
    return RawMemory.prefix(base, address + from, length - from);
  }
}
