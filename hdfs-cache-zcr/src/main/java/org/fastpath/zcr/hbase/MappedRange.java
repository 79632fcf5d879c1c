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
 * A part of a file in locked memory: a slice of a mapping, or several where an HDFS block ends
 * within. It owns them until it is closed. Bytes are counted from its start. Safe from any thread,
 * but for {@link #buffer}.
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
   * @param extra bytes that are wanted too, if they are behind it in the same HDFS block
   * @param lockedOnly whether memory must be locked
   * @throws NotServedException if some of it is not mapped
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

  /** Fails if a replica's file has become too short, as far as is known. */
  void requireWhole() throws NotServedException {
    for (Slice slice : slices) {
      if (!slice.wasWhole()) {
        throw StockRead.TRUNCATED.exception();
      }
    }
  }

  /** Copies some of it. */
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

  /** A block's header that is in it. */
  byte[] header(int from) throws NotServedException {
    byte[] header = new byte[BlockHeader.LENGTH];
    copy(from, header, 0, header.length);
    return header;
  }

  /** Whether a block that is here was verified in these mappings. */
  boolean isVerified() {
    for (Slice slice : slices) {
      if (!slice.verified().contains(slice.offset())) {
        return false;
      }
    }
    return true;
  }

  /** Remembers that the block that starts here was verified, for each mapping that has a part. */
  void verified() {
    for (Slice slice : slices) {
      slice.verified().add(slice.offset());
    }
  }

  /**
   * Its first bytes, in one part or several; to be asked once. What is read there must be read
   * before the recycler is called, which is to close this.
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
