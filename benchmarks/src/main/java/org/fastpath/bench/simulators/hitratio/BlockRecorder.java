package org.fastpath.bench.simulators.hitratio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/**
 * Writes the lines of a {@link TraceFile}: one for each data block that was found, and one for each
 * that was missing and then cached. Thread-safe.
 */
final class BlockRecorder {
  private final Writer file;
  private final Map<String, Integer> files = new HashMap<>();

  BlockRecorder(Writer file) {
    this.file = file;
  }

  /**
   * Records a block that was found, or that was cached after a miss.
   *
   * @param key a {@link BlockCacheKey}
   * @param block the block, or null if none was found
   */
  synchronized void read(Object key, Object block) throws IOException {
    if (block instanceof HFileBlock data && data.getBlockType().isData()) {
      BlockCacheKey name = (BlockCacheKey) key;
      int number = files.computeIfAbsent(name.getHfileName(), any -> files.size());
      file.write(number + " " + name.getOffset() + " " + data.getSerializedLength() + "\n");
    }
  }

  static void close(Writer file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
