package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.io.OutputStream;

/** What a file of the experiments holds. */
interface HdfsContent {
  /** Hears how many bytes are written. */
  @FunctionalInterface
  interface Listener {
    /** Called now and then. */
    void bytes(long done, long total);
  }

  /** How many bytes. */
  long bytes();

  /** Writes all of them. */
  void write(OutputStream out, Listener progress) throws IOException;
}
