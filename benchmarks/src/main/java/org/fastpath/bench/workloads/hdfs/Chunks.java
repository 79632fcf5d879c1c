package org.fastpath.bench.workloads.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A range of a file that can be read repeatedly, chunk by chunk. Not thread-safe. */
interface Chunks extends Closeable {
  /** Goes back to the beginning. */
  void rewind() throws IOException;

  /**
   * Returns the next bytes, from position to limit, in native order; null after the last. They are
   * valid until the next call of any method.
   */
  ByteBuffer next() throws IOException;
}
