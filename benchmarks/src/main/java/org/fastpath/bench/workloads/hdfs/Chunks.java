package org.fastpath.bench.workloads.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A range of a file, piece by piece, as often as wanted. Not thread-safe. */
interface Chunks extends Closeable {
  /** Goes to the beginning. */
  void rewind() throws IOException;

  /**
   * The next bytes, from position to limit, in native order; null after the last. They are valid
   * until the next call of any method.
   */
  ByteBuffer next() throws IOException;
}
