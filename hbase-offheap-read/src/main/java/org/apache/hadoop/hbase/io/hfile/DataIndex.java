package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.io.encoding.IndexBlockEncoding;
import org.fastpath.offheap.reader.LeafIndex;
import org.fastpath.offheap.reader.LeafIndexes;
import org.fastpath.offheap.reader.RootIndex;
import org.fastpath.offheap.reader.SearchKey;

/**
 * The index of a file's data blocks. It finds the offset of a block that HBase's index has found
 * before, or whose leaf it has read. HBase alone searches an index of more than two levels, one
 * that is encoded, and one whose rows are not ordered by their bytes. Thread-safe.
 */
final class DataIndex {
  /** A place in the index that is not known. */
  static final long UNKNOWN = -1;

  /** The root; null if HBase alone searches the index. */
  private final RootIndex roots;

  /** The leaves; null if the index has one level, or if HBase alone searches it. */
  private final LeafIndexes leaves;

  private DataIndex(RootIndex roots, LeafIndexes leaves) {
    this.roots = roots;
    this.leaves = leaves;
  }

  static DataIndex of(HFile.Reader reader) {
    int levels = reader.getTrailer().getNumDataIndexLevels();
    if (levels > 2 || reader.getFileContext().getIndexBlockEncoding() != IndexBlockEncoding.NONE) {
      return new DataIndex(null, null);
    }
    HFileBlockIndex.CellBasedKeyBlockIndexReader index = reader.getDataBlockIndexReader();
    int count = index.getRootBlockCount();
    RootIndex roots = RootIndex.of(reader.getComparator(), count, index::getRootBlockKey);
    return new DataIndex(roots, roots == null || levels == 1 ? null : new LeafIndexes(count));
  }

  void close() {
    if (leaves != null) {
      leaves.close();
    }
  }

  /**
   * Finds the place of the block that can contain a key.
   *
   * @param searched is set to the key
   * @return the place, for the other methods, or {@link #UNKNOWN}
   */
  long find(Cell key, SearchKey searched) {
    if (roots == null) {
      return UNKNOWN;
    }
    searched.set(key);
    int root = roots.find(key, searched);
    if (root == RootIndex.UNKNOWN) {
      return UNKNOWN;
    }
    LeafIndex leaf = leaves == null ? null : leaves.get(root);
    int entry = leaf == null ? 0 : leaf.find(searched) + 1;
    return (long) root << Integer.SIZE | entry;
  }

  private static int root(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** Returns the number of the entry in its leaf; -1 if it is not known. */
  private static int entry(long place) {
    return (int) place - 1;
  }

  /** Returns the offset of the block at a place; {@link #UNKNOWN} if HBase must search. */
  long offset(long place) {
    if (place == UNKNOWN) {
      return UNKNOWN;
    }
    if (leaves == null) {
      return roots.offset(root(place));
    }
    LeafIndex leaf = leaves.get(root(place));
    return leaf == null || entry(place) < 0 ? UNKNOWN : leaf.offset(entry(place));
  }

  /** Returns the source of blocks for a search of HBase's, from which this index learns. */
  HFile.CachingBlockReader learning(long place, HFile.CachingBlockReader blocks) {
    return leaves == null || place == UNKNOWN || leaves.get(root(place)) != null
        ? blocks
        : new LeafReader(blocks, leaves, root(place));
  }

  /** Learns the block that HBase's search has found. */
  void found(long place, HFileBlock block) {
    if (leaves == null && place != UNKNOWN) {
      roots.learn(root(place), block.getOffset());
    }
  }

  /**
   * Returns the result of {@code getNextIndexedKey} for a scanner in the block at a place; null if
   * it is not known.
   */
  Cell nextKey(long place, LeafSource source) throws IOException {
    if (leaves == null) {
      return roots.nextKey(root(place));
    }
    LeafIndex leaf = leaves.get(root(place));
    if (leaf == null) {
      return null;
    }
    HFileBlock block = source.read(leaf.leaf(), leaf.leafBytes());
    try {
      byte[] key =
          HFileBlockIndex.BlockIndexReader.getNonRootIndexedKey(
              block.getBufferWithoutHeader(), entry(place) + 1);
      return key == null ? roots.nextKey(root(place)) : new KeyOnlyKeyValue(key, 0, key.length);
    } finally {
      block.release();
    }
  }

  /** Reads leaves. */
  @FunctionalInterface
  interface LeafSource {
    HFileBlock read(long offset, long bytes) throws IOException;
  }
}
