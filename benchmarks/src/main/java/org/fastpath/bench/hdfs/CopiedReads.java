package org.fastpath.bench.hdfs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.fs.FSDataInputStream;

/** Reads into a direct buffer, and compares both ends. */
final class CopiedReads implements PositionalReads {
  private final FSDataInputStream in;

  CopiedReads(FSDataInputStream in) {
    this.in = in;
  }

  @Override
  public Reader reader(int length) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    return position -> {
      in.readFully(position, buffer.clear());
      PositionalReads.checkEnds(buffer, position, length);
    };
  }
}
