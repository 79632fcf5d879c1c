package org.fastpath.offheap.reader;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;

/**
 * Reads the memory below arrays and buffers, on the heap and off it, by a base and an address: an
 * array and the offset in it, or null and the address itself. One path for both costs nothing, and
 * a block that was read to the heap is decoded by the same code as a cached one.
 *
 * <p>Numbers are big-endian, as HBase writes them, unless a method says otherwise. Nothing is
 * checked here: who calls has checked that the bytes are there, and keeps the buffer reachable.
 */
final class RawMemory {
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /** A call to copy more costs less than to copy them by words. */
  private static final int COPIED_BY_WORDS = 64;

  private static final long ARRAY = HBasePlatformDependent.arrayBaseOffset(byte[].class);

  /** The address of the first number of an array, whose base is the array. */
  static final long LONG_ARRAY = HBasePlatformDependent.arrayBaseOffset(long[].class);

  private static final long BUFFER_ADDRESS = bufferAddressOffset();

  private RawMemory() {}

  private static long bufferAddressOffset() {
    try {
      return HBasePlatformDependent.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The base of a buffer's memory. */
  static Object base(ByteBuffer buffer) {
    return buffer.isDirect() ? null : buffer.array();
  }

  /** The address of a buffer's byte 0, whatever its position. */
  static long address(ByteBuffer buffer) {
    return buffer.isDirect()
        ? HBasePlatformDependent.getLong(buffer, BUFFER_ADDRESS)
        : address(buffer.arrayOffset());
  }

  /** The address of a byte of an array, whose base is the array. */
  static long address(int offset) {
    return ARRAY + offset;
  }

  static byte getByte(Object base, long address) {
    return HBasePlatformDependent.getByte(base, address);
  }

  static short getShort(Object base, long address) {
    short value = HBasePlatformDependent.getShort(base, address);
    return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
  }

  static int getInt(Object base, long address) {
    int value = HBasePlatformDependent.getInt(base, address);
    return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
  }

  static long getLong(Object base, long address) {
    long value = HBasePlatformDependent.getLong(base, address);
    return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** A number in the machine's byte order. */
  static int getNativeInt(Object base, long address) {
    return HBasePlatformDependent.getInt(base, address);
  }

  /** A number in the machine's byte order. */
  static long getNativeLong(Object base, long address) {
    return HBasePlatformDependent.getLong(base, address);
  }

  /** A number of one to eight bytes. */
  static long number(Object base, long address, int bytes) {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << Byte.SIZE | getByte(base, address + i) & 0xff;
    }
    return value;
  }

  /** Copies bytes to an array, which has room for them; most runs are of a few bytes. */
  static void copy(Object base, long address, byte[] to, int offset, int length) {
    long target = address(offset);
    if (length > COPIED_BY_WORDS) {
      HBasePlatformDependent.copyMemory(base, address, to, target, length);
      return;
    }
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        to[offset + i] = getByte(base, address + i);
      }
      return;
    }
    int last = length - Long.BYTES;
    for (int at = 0; at < last; at += Long.BYTES) {
      copyWord(base, address + at, to, target + at);
    }
    copyWord(base, address + last, to, target + last);
  }

  private static void copyWord(Object base, long address, byte[] to, long target) {
    HBasePlatformDependent.putLong(to, target, HBasePlatformDependent.getLong(base, address));
  }

  /** How many bytes two runs of at least {@code length} bytes have in common from their start. */
  static int mismatch(Object a, long aAddress, Object b, long bAddress, int length) {
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long difference =
          HBasePlatformDependent.getLong(a, aAddress + at)
              ^ HBasePlatformDependent.getLong(b, bAddress + at);
      if (difference != 0) {
        int bits =
            LITTLE_ENDIAN
                ? Long.numberOfTrailingZeros(difference)
                : Long.numberOfLeadingZeros(difference);
        return at + bits / Byte.SIZE;
      }
    }
    while (at < length && getByte(a, aAddress + at) == getByte(b, bAddress + at)) {
      at++;
    }
    return at;
  }

  /** Compares bytes as unsigned numbers, the shorter run first if it is the other's beginning. */
  static int compare(Object a, long aAddress, int aLength, Object b, long bAddress, int bLength) {
    int common = Math.min(aLength, bLength);
    int at = mismatch(a, aAddress, b, bAddress, common);
    return at < common
        ? (getByte(a, aAddress + at) & 0xff) - (getByte(b, bAddress + at) & 0xff)
        : aLength - bLength;
  }

  /**
   * How many of sorted numbers, unsigned and in the machine's byte order, are less than this one.
   */
  static int countLess(Object base, long address, int count, long number) {
    int low = 0;
    int left = count;
    // The half to go on with is chosen without a jump, which would be mispredicted half the time.
    while (left > 0) {
      int half = left >>> 1;
      long candidate = getNativeLong(base, address + (long) Long.BYTES * (low + half));
      boolean isLess = Long.compareUnsigned(candidate, number) < 0;
      low = isLess ? low + half + 1 : low;
      left = isLess ? left - half - 1 : half;
    }
    return low;
  }

  /**
   * The first bytes of a run as a number that sorts, unsigned, as they do; zeros stand for bytes
   * that are not there.
   */
  static long prefix(Object base, long address, int length) {
    if (length >= Long.BYTES) {
      return getLong(base, address);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (getByte(base, address + i) & 0xffL) << Long.SIZE - Byte.SIZE * (i + 1);
    }
    return prefix;
  }
}
