package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Gives access to package-private facts of an HDFS stream about its file. Thread-safe. */
public final class StockStreams {
  private StockStreams() {}

  /**
   * Returns whether the file's blocks do not change: it is closed, neither encrypted nor
   * erasure-coded, and read by the stream for replicated files.
   */
  public static boolean isPlain(DFSInputStream stream) {
    LocatedBlocks blocks = stream.getLocatedBlocks();
    return stream.getClass() == DFSInputStream.class
        && !blocks.isUnderConstruction()
        && blocks.isLastBlockComplete()
        && blocks.getFileEncryptionInfo() == null
        && blocks.getErasureCodingPolicy() == null;
  }

  /** Returns the block at an offset, with the current locations and token of the stream. */
  public static LocatedBlock blockAt(DFSInputStream stream, long offset) throws IOException {
    return stream.getBlockAt(offset);
  }
}
