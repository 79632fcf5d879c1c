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
  private static final long PATIENCE_NANOS = 30_000_000_000L;

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
      try (Slice slice = slice(position)) {
        if (untilCompared-- == 0) {
          untilCompared = COMPARED;
          ByteBuffer bytes = slice.buffer().duplicate().order(ByteOrder.nativeOrder());
          PositionalReads.checkEnds(bytes, position, length);
        }
      }
    }

    /** While one thread maps a block others get nothing. */
    private Slice slice(long position) throws IOException {
      long begin = System.nanoTime();
      do {
        Slice slice = in.slice(position, length);
        if (slice != null) {
          return slice;
        }
        Thread.onSpinWait();
      } while (System.nanoTime() - begin < PATIENCE_NANOS);
      throw new IOException("no slice at " + position + ": the block is not in locked memory");
    }
  }
}
