package org.fastpath.zcr.hbase;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * A part of a file in locked memory. It consists of one slice, or of several if it crosses the end
 * of an HDFS block. It owns the slices until it is closed. Offsets are relative to its start.
 * Thread-safe except for {@link #buffer}.
 */
final class MappedRange implements AutoCloseable {
  private final Slice[] slices;
  private final int length;

  private MappedRange(int length, Slice... slices) {
    this.length = length;
    this.slices = slices;
  }

  /**
   * Maps a part of a file.
   *
   * @param extra additional bytes to map if the same HDFS block contains them
   * @param lockedOnly whether the memory must be locked
   * @throws NotServedException if a part of it is not mapped
   */
  static MappedRange of(
      ZeroCopyInputStream stream, long position, int length, int extra, boolean lockedOnly)
      throws NotServedException {
    Slice first = slice(stream, position, length + extra, lockedOnly);
    return first.length() >= length
        ? new MappedRange(first.length(), first)
        : several(stream, first, position, length, extra, lockedOnly);
  }

  private static MappedRange several(
      ZeroCopyInputStream stream,
      Slice first,
      long position,
      int length,
      int extra,
      boolean lockedOnly)
      throws NotServedException {
    List<Slice> slices = new ArrayList<>(List.of(first));
    int mapped = first.length();
    boolean complete = false;
    try {
      while (mapped < length) {
        Slice next = slice(stream, position + mapped, length + extra - mapped, lockedOnly);
        slices.add(next);
        mapped += next.length();
      }
      complete = true;
    } finally {
      if (!complete) {
        slices.forEach(Slice::close);
      }
    }
    return new MappedRange(mapped, slices.toArray(Slice[]::new));
  }

  private static Slice slice(
      ZeroCopyInputStream stream, long position, int length, boolean lockedOnly)
      throws NotServedException {
    Slice slice = stream.slice(position, length);
    if (slice != null && (slice.isVerified() || !lockedOnly)) {
      return slice;
    }
    if (slice != null) {
      slice.close();
    }
    throw StockRead.UNMAPPED.exception();
  }

  int length() {
    return length;
  }

  boolean isSeveral() {
    return slices.length > 1;
  }

  /** Fails if a replica's file is known to be too short. */
  void requireWhole() throws NotServedException {
    for (Slice slice : slices) {
      if (!slice.wasWhole()) {
        throw StockRead.TRUNCATED.exception();
      }
    }
  }

  /** Copies a part of it. */
  void copy(int from, byte[] target, int index, int count) throws NotServedException {
    int start = 0;
    int done = 0;
    for (Slice slice : slices) {
      int inSlice = from + done - start;
      int part = Math.min(count - done, slice.length() - inSlice);
      if (part > 0) {
        if (!slice.copy(inSlice, target, index + done, part)) {
          throw StockRead.TRUNCATED.exception();
        }
        done += part;
      }
      start += slice.length();
    }
  }

  /** Returns a block's header that is inside. */
  byte[] header(int from) throws NotServedException {
    byte[] header = new byte[BlockHeader.LENGTH];
    copy(from, header, 0, header.length);
    return header;
  }

  /** Returns whether the block at the start was verified in all these mappings. */
  boolean isVerified() {
    for (Slice slice : slices) {
      if (!slice.verified().contains(slice.offset())) {
        return false;
      }
    }
    return true;
  }

  /** Remembers that the block at the start was verified, in each mapping that has a part of it. */
  void verified() {
    for (Slice slice : slices) {
      slice.verified().add(slice.offset());
    }
  }

  /**
   * Returns the first bytes as a buffer of one part or several. Call it once. The recycler closes
   * this range; the caller must not read the buffer after it has called the recycler.
   */
  ByteBuff buffer(int count, Recycler recycler) {
    if (slices.length == 1) {
      return new SingleByteBuff(recycler, slices[0].buffer().limit(count));
    }
    List<ByteBuffer> parts = new ArrayList<>(slices.length);
    int left = count;
    for (Slice slice : slices) {
      if (left > 0) {
        parts.add(slice.buffer().limit(Math.min(left, slice.length())));
        left -= slice.length();
      }
    }
    return ByteBuff.wrap(parts, recycler);
  }

  @Override
  public void close() {
    for (Slice slice : slices) {
      slice.close();
    }
  }
}
