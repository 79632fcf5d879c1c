package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.fs.FSDataInputStream;

/** Chunks that HDFS copies into one direct buffer. */
final class CopiedChunks implements Chunks {
  private final FSDataInputStream in;
  private final long begin;
  private final long end;
  private final ByteBuffer buffer;

  CopiedChunks(FSDataInputStream in, long begin, long end, int chunkBytes) {
    this.in = in;
    this.begin = begin;
    this.end = end;
    this.buffer = ByteBuffer.allocateDirect(chunkBytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public void rewind() throws IOException {
    in.seek(begin);
  }

  @Override
  public ByteBuffer next() throws IOException {
    long left = end - in.getPos();
    if (left == 0) {
      return null;
    }
    buffer.clear().limit((int) Math.min(buffer.capacity(), left));
    while (buffer.hasRemaining()) {
      if (in.read(buffer) < 0) {
        throw new IOException("the file ends at " + in.getPos() + ", not at " + end);
      }
    }
    return buffer.flip();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
