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
 * that was not and came in. For any thread.
 */
final class BlockRecorder {
  private final Writer file;
  private final Map<String, Integer> files = new HashMap<>();

  BlockRecorder(Writer file) {
    this.file = file;
  }

  /**
   * A block was found, or came in because it was not.
   *
   * @param key a {@link BlockCacheKey}
   * @param block null if nothing was found
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
