package org.fastpath.offheap.reader;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;

/**
 * Writes HFiles of many shapes, for tests and benchmarks. The same shape and seed give the same
 * cells. Not thread-safe.
 */
public final class HFileSamples {
  private final Configuration conf;
  private final FileSystem fs;
  private final Path directory;
  private int written;

  /**
   * Writes files to a directory.
   *
   * @param directory a directory of the local file system
   */
  public HFileSamples(Configuration conf, java.nio.file.Path directory) throws IOException {
    this.conf = conf;
    this.fs = FileSystem.getLocal(conf).getRaw();
    this.directory = new Path(directory.toUri());
  }

  /**
   * A file and its cells.
   *
   * @param cells in the file's order
   */
  public record Sample(FileSystem fs, Path path, HFileShape shape, List<KeyValue> cells) {
    /** Opens the file; the caller closes the reader. */
    public HFile.Reader open(Configuration conf, CacheConfig cacheConfig) throws IOException {
      return HFile.createReader(fs, path, cacheConfig, true, conf);
    }

    /**
     * Returns the last cell that sorts before a key, without regard to sequence numbers; null if
     * there is none.
     */
    Cell lastBefore(Cell key) {
      int index = firstFrom(key) - 1;
      return index < 0 ? null : cells.get(index);
    }

    /** Returns whether the file contains this cell. */
    boolean contains(Cell cell) {
      for (int i = firstFrom(cell); i < cells.size() && compare(cells.get(i), cell) == 0; i++) {
        if (CellDifference.of(cells.get(i), cell) == null) {
          return true;
        }
      }
      return false;
    }

    private int firstFrom(Cell key) {
      int low = 0;
      int high = cells.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (compare(cells.get(middle), key) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private int compare(Cell a, Cell b) {
      return PrivateCellUtil.compareKeyIgnoresMvcc(shape.comparison().comparator(), a, b);
    }
  }

  /** Writes a file of this shape. The seed determines its cells. */
  public Sample write(HFileShape shape, long seed) throws IOException {
    return write(shape, CellSequence.of(shape, new SplittableRandom(seed)));
  }

  /** Writes these ordered cells to a file of this shape. */
  public Sample write(HFileShape shape, List<KeyValue> cells) throws IOException {
    // The path is in the directories of a store, because caches parse the region from it.
    Path path = new Path(directory, String.format("table/region/family/%032x", written++));
    Configuration own = new Configuration(conf);
    own.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, shape.indexChunk());
    own.setInt(HFileBlockIndex.MIN_INDEX_NUM_ENTRIES_KEY, 2);
    try (HFile.Writer writer =
        HFile.getWriterFactory(own, new CacheConfig(own))
            .withPath(fs, path)
            .withFileContext(shape.context())
            .create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
    }
    return new Sample(fs, path, shape, cells);
  }
}
