package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.io.ElasticByteBufferPool;

/** Chunks that are slices of mappings, by HDFS's own call for reads without a copy. */
final class MappedChunks implements Chunks {
  private static final EnumSet<ReadOption> UNVERIFIED = EnumSet.of(ReadOption.SKIP_CHECKSUMS);

  private final FSDataInputStream in;
  private final long begin;
  private final long end;
  private final int chunkBytes;
  private final ElasticByteBufferPool pool = new ElasticByteBufferPool();
  private ByteBuffer lent;

  MappedChunks(FSDataInputStream in, long begin, long end, int chunkBytes) {
    this.in = in;
    this.begin = begin;
    this.end = end;
    this.chunkBytes = chunkBytes;
  }

  @Override
  public void rewind() throws IOException {
    giveBack();
    in.seek(begin);
  }

  @Override
  public ByteBuffer next() throws IOException {
    giveBack();
    long left = end - in.getPos();
    if (left == 0) {
      return null;
    }
    lent = in.read(pool, (int) Math.min(chunkBytes, left), UNVERIFIED);
    if (lent == null) {
      throw new IOException("the file ends at " + in.getPos() + ", not at " + end);
    }
    return lent.slice().order(ByteOrder.nativeOrder());
  }

  /** The mapping may go once nobody has a slice of it. */
  private void giveBack() {
    if (lent != null) {
      in.releaseBuffer(lent);
      lent = null;
    }
  }

  @Override
  public void close() throws IOException {
    giveBack();
    in.close();
  }
}
