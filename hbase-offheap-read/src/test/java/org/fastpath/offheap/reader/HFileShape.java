package org.fastpath.offheap.reader;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;

/**
 * The format of an HFile and the kind of its cells.
 *
 * @param cells number of cells; a file of large cells has fewer
 * @param columns columns of a row
 * @param versions the most versions of a column
 * @param families families of a row
 * @param blockSize size of data blocks in bytes
 * @param indexChunk size of an index block in bytes; a small one gives an index of several levels
 * @param compressTags whether a dictionary compresses tags, which encoded blocks allow
 */
public record HFileShape(
    DataBlockEncoding encoding,
    Compression.Algorithm compression,
    Comparison comparison,
    Rows rows,
    Values values,
    Tags tags,
    boolean compressTags,
    Mvcc mvcc,
    int cells,
    int columns,
    int versions,
    int families,
    int blockSize,
    int indexChunk) {
  /** The order of the cells. */
  public enum Comparison {
    DEFAULT,
    /** The order of hbase:meta: rows have three parts with commas between them. */
    META,
    /** The order of one column family; HBase 2.5 does not have it. */
    INNER_STORE;

    private static final CellComparator INNER = innerStoreComparator();

    CellComparator comparator() {
      return switch (this) {
        case DEFAULT -> CellComparatorImpl.COMPARATOR;
        case META -> MetaCellComparator.META_COMPARATOR;
        case INNER_STORE -> INNER;
      };
    }

    private static CellComparator innerStoreComparator() {
      try {
        return (CellComparator)
            Class.forName("org.apache.hadoop.hbase.InnerStoreCellComparator")
                .getField("INNER_STORE_COMPARATOR")
                .get(null);
      } catch (ReflectiveOperationException e) {
        return CellComparatorImpl.COMPARATOR;
      }
    }
  }

  /** The kind of row keys. */
  public enum Rows {
    /** A long common prefix and a number. */
    NUMBERED,
    /** A few bytes of a small alphabet with 0x00 and 0xff; many rows are prefixes of others. */
    NESTED,
    /** Up to 64 bytes of any value. */
    RANDOM,
    /** Up to 32 KB. */
    LONG,
    /** Rows like those of hbase:meta. */
    META
  }

  /** The sizes of values. */
  public enum Values {
    EMPTY,
    SMALL,
    /** Up to 2 KB. */
    MIXED,
    /** Values of which some take several blocks. */
    LARGE
  }

  /** Whether the file has tags, and which cells have some. */
  public enum Tags {
    ABSENT,
    NO_CELL,
    SOME_CELLS,
    /** Up to 16 KB for a cell. */
    LARGE
  }

  /** Whether the file has sequence numbers of cells, and how large they are. */
  public enum Mvcc {
    ABSENT,
    ZERO,
    SMALL,
    HUGE
  }

  /** The encodings of HBase. */
  public static final List<DataBlockEncoding> ENCODINGS =
      List.of(
          DataBlockEncoding.NONE,
          DataBlockEncoding.PREFIX,
          DataBlockEncoding.DIFF,
          DataBlockEncoding.FAST_DIFF,
          DataBlockEncoding.ROW_INDEX_V1);

  private static final int[] CELLS = {0, 1, 2, 10, 100, 1000, 3000, 3000, 3000, 3000};
  private static final int[] COLUMNS = {1, 1, 1, 2, 10, 10, 400};
  private static final int[] BLOCK_SIZES = {1 << 10, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
  private static final int[] INDEX_CHUNKS = {64, 256, 1024, 128 << 10};

  /** Returns a valid random shape with blocks of this encoding. */
  public static HFileShape random(SplittableRandom random, DataBlockEncoding encoding) {
    Comparison comparison = comparison(random, encoding);
    return new HFileShape(
        encoding,
        random.nextInt(4) == 0 ? Compression.Algorithm.GZ : Compression.Algorithm.NONE,
        comparison,
        comparison == Comparison.META ? Rows.META : Rows.values()[random.nextInt(4)],
        one(random, Values.values()),
        one(random, Tags.values()),
        random.nextInt(3) == 0,
        one(random, Mvcc.values()),
        one(random, CELLS),
        one(random, COLUMNS),
        random.nextInt(1, 5),
        comparison == Comparison.DEFAULT && hasFamilyInEachKey(encoding) ? random.nextInt(1, 4) : 1,
        one(random, BLOCK_SIZES),
        one(random, INDEX_CHUNKS));
  }

  /** Returns a plain shape: 3,000 cells of 100 bytes with one column each, in blocks of 64 KB. */
  public static HFileShape plain(DataBlockEncoding encoding) {
    return new HFileShape(
        encoding,
        Compression.Algorithm.NONE,
        Comparison.DEFAULT,
        Rows.NUMBERED,
        Values.SMALL,
        Tags.ABSENT,
        false,
        Mvcc.SMALL,
        3000,
        1,
        1,
        1,
        64 << 10,
        128 << 10);
  }

  /**
   * Returns a valid comparator. The decoders of PREFIX, DIFF and FAST_DIFF compare like the default
   * one.
   */
  private static Comparison comparison(SplittableRandom random, DataBlockEncoding encoding) {
    int what = random.nextInt(8);
    if (what == 0 && usesComparator(encoding)) {
      return Comparison.META;
    }
    return what < 3 ? Comparison.INNER_STORE : Comparison.DEFAULT;
  }

  private static boolean usesComparator(DataBlockEncoding encoding) {
    return encoding == DataBlockEncoding.NONE || encoding == DataBlockEncoding.ROW_INDEX_V1;
  }

  /**
   * Returns whether blocks can have several families. PREFIX, DIFF and FAST_DIFF assume one family
   * for all cells of a block.
   */
  private static boolean hasFamilyInEachKey(DataBlockEncoding encoding) {
    return usesComparator(encoding);
  }

  private static int one(SplittableRandom random, int[] values) {
    return values[random.nextInt(values.length)];
  }

  private static <T> T one(SplittableRandom random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  boolean isEncoded() {
    return encoding != DataBlockEncoding.NONE;
  }

  /** Returns whether a dictionary compresses the blocks' tags. */
  boolean hasTagDictionary() {
    return compressTags && tags != Tags.ABSENT && isEncoded();
  }

  HFileContext context() {
    return new HFileContextBuilder()
        .withBlockSize(blockSize)
        .withDataBlockEncoding(encoding)
        .withCompression(compression)
        .withIncludesTags(tags != Tags.ABSENT)
        .withCompressTags(compressTags)
        .withIncludesMvcc(mvcc != Mvcc.ABSENT)
        .withCellComparator(comparison.comparator())
        .build();
  }
}
