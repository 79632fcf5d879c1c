package org.fastpath.bench.story;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufUtil;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;

/** The contenders of {@link CompareBenchmark}: unsigned, lexicographic comparisons. */
final class Comparisons {
  private Comparisons() {}

  /** The comparison of that side of these bytes, which it copies to where it reads them. */
  static IntSupplier of(String side, byte[] left, byte[] right) {
    int n = left.length;
    byte[] leftArray = left.clone();
    byte[] rightArray = right.clone();
    ByteBuffer leftBuffer = Memories.direct(left);
    ByteBuffer rightBuffer = Memories.direct(right);
    switch (side) {
      case "bytes":
        return () -> Bytes.compareTo(leftArray, 0, n, rightArray, 0, n);
      case "arrays":
        return () -> Arrays.compareUnsigned(leftArray, 0, n, rightArray, 0, n);
      case "byte-buffer-utils":
        return () -> ByteBufferUtils.compareTo(leftBuffer, 0, n, rightBuffer, 0, n);
      case "byte-buffer-utils-array":
        return () -> ByteBufferUtils.compareTo(leftBuffer, 0, n, rightArray, 0, n);
      case "mismatch":
        return () -> byMismatch(leftBuffer, rightBuffer);
      case "mismatch-heap":
        ByteBuffer leftHeap = ByteBuffer.wrap(leftArray);
        ByteBuffer rightHeap = ByteBuffer.wrap(rightArray);
        return () -> byMismatch(leftHeap, rightHeap);
      case "unsafe-longs":
        return new Longs(
            Unpooled.directBuffer(n).writeBytes(left),
            Unpooled.directBuffer(n).writeBytes(right),
            n);
      case "netty":
        ByteBuf leftNetty = Unpooled.directBuffer(n).writeBytes(left);
        ByteBuf rightNetty = Unpooled.directBuffer(n).writeBytes(right);
        return () -> ByteBufUtil.compare(leftNetty, rightNetty);
      default:
        throw new IllegalArgumentException("there is no side " + side);
    }
  }

  private static int byMismatch(ByteBuffer left, ByteBuffer right) {
    int at = left.mismatch(right);
    return at < 0 ? 0 : Byte.compareUnsigned(left.get(at), right.get(at));
  }

  /** Eight bytes at a time, by address; the buffers own the memory. */
  private record Longs(ByteBuf left, ByteBuf right, long leftAt, long rightAt, int length)
      implements IntSupplier {
    Longs(ByteBuf left, ByteBuf right, int length) {
      this(left, right, left.memoryAddress(), right.memoryAddress(), length);
    }

    @Override
    public int getAsInt() {
      int at = 0;
      for (; at + Long.BYTES <= length; at += Long.BYTES) {
        long a = HBasePlatformDependent.getLong(leftAt + at);
        long b = HBasePlatformDependent.getLong(rightAt + at);
        if (a != b) {
          return Long.compareUnsigned(Memories.bigEndian(a), Memories.bigEndian(b));
        }
      }
      return tail(at);
    }

    private int tail(int from) {
      for (int at = from; at < length; at++) {
        byte a = HBasePlatformDependent.getByte(leftAt + at);
        byte b = HBasePlatformDependent.getByte(rightAt + at);
        if (a != b) {
          return Byte.compareUnsigned(a, b);
        }
      }
      return 0;
    }
  }
}
