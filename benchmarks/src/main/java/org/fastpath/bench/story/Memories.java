package org.fastpath.bench.story;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.MultiByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.ByteBufferUtils;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.UnpooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;

/** The contenders of {@link BufferReadBenchmark}, by the name of their side. */
final class Memories {
  private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private Memories() {}

  /** Memory of that kind which holds these bytes. */
  static Memory of(String side, byte[] bytes) {
    switch (side) {
      case "netty":
        return new Netty(netty(bytes));
      case "netty-unsafe":
        return new NettyUnsafe(netty(bytes));
      case "nio-direct":
        return new Nio(direct(bytes));
      case "nio-heap":
        return new Nio(ByteBuffer.wrap(bytes.clone()));
      case "nio-unsafe":
        return new NioUnsafe(direct(bytes));
      case "var-handle":
        return new VarHandles(direct(bytes));
      case "unsafe":
        return new Unsafe(netty(bytes));
      case "single-byte-buff":
        return new HBaseBuff(new SingleByteBuff(direct(bytes)));
      case "multi-byte-buff":
        return new HBaseBuff(halves(bytes));
      case "memory-segment":
        return new Segment(bytes);
      default:
        throw new IllegalArgumentException("there is no side " + side);
    }
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Without the leak detector, as the story had it. */
  private static ByteBuf netty(byte[] bytes) {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    return UnpooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  private static ByteBuff halves(byte[] bytes) {
    ByteBuffer whole = direct(bytes);
    int half = bytes.length / 2;
    return new MultiByteBuff(whole.slice(0, half), whole.slice(half, bytes.length - half));
  }

  static long bigEndian(long value) {
    return SWAP ? Long.reverseBytes(value) : value;
  }

  private static int bigEndian(int value) {
    return SWAP ? Integer.reverseBytes(value) : value;
  }

  private static short bigEndian(short value) {
    return SWAP ? Short.reverseBytes(value) : value;
  }

  private record Netty(ByteBuf buffer) implements Memory {
    @Override
    public long longAt(int offset) {
      return buffer.getLong(offset);
    }

    @Override
    public int intAt(int offset) {
      return buffer.getInt(offset);
    }

    @Override
    public short shortAt(int offset) {
      return buffer.getShort(offset);
    }

    @Override
    public byte byteAt(int offset) {
      return buffer.getByte(offset);
    }
  }

  /** The address is asked for at each read, as by code that is handed a ByteBuf. */
  private record NettyUnsafe(ByteBuf buffer) implements Memory {
    @Override
    public long longAt(int offset) {
      return bigEndian(HBasePlatformDependent.getLong(buffer.memoryAddress() + offset));
    }

    @Override
    public int intAt(int offset) {
      return bigEndian(HBasePlatformDependent.getInt(buffer.memoryAddress() + offset));
    }

    @Override
    public short shortAt(int offset) {
      return bigEndian(HBasePlatformDependent.getShort(buffer.memoryAddress() + offset));
    }

    @Override
    public byte byteAt(int offset) {
      return HBasePlatformDependent.getByte(buffer.memoryAddress() + offset);
    }
  }

  private record Nio(ByteBuffer buffer) implements Memory {
    @Override
    public long longAt(int offset) {
      return buffer.getLong(offset);
    }

    @Override
    public int intAt(int offset) {
      return buffer.getInt(offset);
    }

    @Override
    public short shortAt(int offset) {
      return buffer.getShort(offset);
    }

    @Override
    public byte byteAt(int offset) {
      return buffer.get(offset);
    }
  }

  /** HBase's own reads of a buffer, past its bounds. */
  private record NioUnsafe(ByteBuffer buffer) implements Memory {
    @Override
    public long longAt(int offset) {
      return ByteBufferUtils.toLong(buffer, offset);
    }

    @Override
    public int intAt(int offset) {
      return ByteBufferUtils.toInt(buffer, offset);
    }

    @Override
    public short shortAt(int offset) {
      return ByteBufferUtils.toShort(buffer, offset);
    }

    @Override
    public byte byteAt(int offset) {
      return ByteBufferUtils.toByte(buffer, offset);
    }
  }

  private record VarHandles(ByteBuffer buffer) implements Memory {
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle SHORT = view(short[].class);

    private static VarHandle view(Class<?> array) {
      return MethodHandles.byteBufferViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    @Override
    public long longAt(int offset) {
      return (long) LONG.get(buffer, offset);
    }

    @Override
    public int intAt(int offset) {
      return (int) INT.get(buffer, offset);
    }

    @Override
    public short shortAt(int offset) {
      return (short) SHORT.get(buffer, offset);
    }

    @Override
    public byte byteAt(int offset) {
      return buffer.get(offset);
    }
  }

  /** An address and nothing else; the buffer is held so that its memory is not freed. */
  private record Unsafe(ByteBuf owner, long address) implements Memory {
    Unsafe(ByteBuf owner) {
      this(owner, owner.memoryAddress());
    }

    @Override
    public long longAt(int offset) {
      return bigEndian(HBasePlatformDependent.getLong(address + offset));
    }

    @Override
    public int intAt(int offset) {
      return bigEndian(HBasePlatformDependent.getInt(address + offset));
    }

    @Override
    public short shortAt(int offset) {
      return bigEndian(HBasePlatformDependent.getShort(address + offset));
    }

    @Override
    public byte byteAt(int offset) {
      return HBasePlatformDependent.getByte(address + offset);
    }
  }

  private record HBaseBuff(ByteBuff buffer) implements Memory {
    @Override
    public long longAt(int offset) {
      return buffer.getLong(offset);
    }

    @Override
    public int intAt(int offset) {
      return buffer.getInt(offset);
    }

    @Override
    public short shortAt(int offset) {
      return buffer.getShort(offset);
    }

    @Override
    public byte byteAt(int offset) {
      return buffer.get(offset);
    }
  }

  private record Segment(Object segment) implements Memory {
    Segment(byte[] bytes) {
      this(Foreign.segment(direct(bytes)));
    }

    @Override
    public long longAt(int offset) {
      return Foreign.longAt(segment, offset);
    }

    @Override
    public int intAt(int offset) {
      return Foreign.intAt(segment, offset);
    }

    @Override
    public short shortAt(int offset) {
      return Foreign.shortAt(segment, offset);
    }

    @Override
    public byte byteAt(int offset) {
      return Foreign.byteAt(segment, offset);
    }
  }
}
