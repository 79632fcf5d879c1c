package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.fs.FSDataInputStream;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * Takes slices and gives them back. One in so many is compared: to fetch a random page of memory
 * takes longer than all the rest, and whoever wants the bytes pays for it with any kind of read.
 */
final class SlicedReads implements PositionalReads {
  private static final int COMPARED = 64;

  private final ZeroCopyInputStream in;

  private SlicedReads(ZeroCopyInputStream in) {
    this.in = in;
  }

  static SlicedReads of(FSDataInputStream in) {
    return new SlicedReads((ZeroCopyInputStream) in);
  }

  @Override
  public Reader reader(int length) {
    return new Slices(length);
  }

  private final class Slices implements Reader {
    private final int length;
    private int untilCompared;

    Slices(int length) {
      this.length = length;
    }

    @Override
    public void read(long position) throws IOException {
      try (Slice slice = in.slice(position, length)) {
        if (slice == null || slice.length() < length) {
          throw new IOException("no slice at " + position + ": the block is not in locked memory");
        }
        if (untilCompared-- == 0) {
          untilCompared = COMPARED;
          ByteBuffer bytes = slice.buffer().duplicate().order(ByteOrder.nativeOrder());
          PositionalReads.check(bytes, position, 0);
          PositionalReads.check(bytes, position, length - Double.BYTES);
        }
      }
    }
  }
}
