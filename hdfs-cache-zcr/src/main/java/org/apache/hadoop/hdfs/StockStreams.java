package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * What a stream of HDFS knows of its file and shows to its own package only. Safe from any thread.
 */
public final class StockStreams {
  private StockStreams() {}

  /**
   * Whether the file is one whose blocks stay as they are: closed, neither encrypted nor erasure
   * coded, and read by the stream for replicated files.
   */
  public static boolean isPlain(DFSInputStream stream) {
    LocatedBlocks blocks = stream.getLocatedBlocks();
    return stream.getClass() == DFSInputStream.class
        && !blocks.isUnderConstruction()
        && blocks.isLastBlockComplete()
        && blocks.getFileEncryptionInfo() == null
        && blocks.getErasureCodingPolicy() == null;
  }

  /** The block at an offset with the locations and the token that the stream would use now. */
  public static LocatedBlock blockAt(DFSInputStream stream, long offset) throws IOException {
    return stream.getBlockAt(offset);
  }
}
