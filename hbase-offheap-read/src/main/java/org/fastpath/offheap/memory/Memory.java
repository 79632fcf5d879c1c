package org.fastpath.offheap.memory;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A range of bytes with a lifetime: direct memory, a mapped file, or an array on the heap. All
 * other classes of this jar use offsets; {@link RawAccess} accesses the bytes by the best method of
 * the running JDK.
 *
 * <p><b>Reachable.</b> A range refers to the buffer or array that owns its bytes, and each access
 * ends with a fence on the range. So the garbage collector cannot free the bytes during an access,
 * even if the last other reference goes away meanwhile.
 *
 * <p><b>Checked.</b> With {@code -Dorg.fastpath.offheap.bounds-checks=true} each access outside of
 * the range, and each access after {@link #close} or {@link #free}, throws. The flag is a {@code
 * static final} field, so that the compiler removes the checks when it is off [1]. All tests set
 * it.
 *
 * <p><b>Views.</b> {@link #view} makes a range of a part of another one and keeps the other one
 * reachable. Closing a view ends the view only. {@link #wrap} lets one object stand for one range
 * after the other, without an allocation.
 *
 * <p>Offsets begin at 0. Numbers are in the byte order of the machine, except in methods with
 * "bigEndian" in their name, which is HBase's order. Access is thread-safe to the degree of single
 * words; only the owner wraps and closes.
 *
 * <ol>
 *   <li>Agrona, {@code UnsafeBuffer} and {@code SHOULD_BOUNDS_CHECK}
 * </ol>
 */
public final class Memory {
  /** The system property that turns checks on. */
  public static final String CHECKS = "org.fastpath.offheap.bounds-checks";

  /** Whether each access is checked. */
  public static final boolean CHECKED = Boolean.getBoolean(CHECKS);

  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  private static final RawAccess RAW = RawAccess.BEST;
  private static final long ARRAY = RAW.byteArrayBase();
  private static final int CACHE_LINE = 64;

  /** Up to this length a copy by words is faster than a call. */
  private static final int COPIED_BY_WORDS = 64;

  /** The length of a range that was closed. */
  private static final long CLOSED = Long.MIN_VALUE;

  /** The array, or null for memory off the heap. */
  private Object base;

  /** The begin of the range: in the array, or in the address space. */
  private long address;

  private long bytes;

  /** Keeps bytes off the heap reachable: a buffer, or the range that this one is a view of. */
  private Object owner;

  private volatile Memory beside;

  /** Makes an empty range for {@link #wrap}. */
  public Memory() {}

  private Memory(Object owner, Object base, long address, long bytes) {
    this.owner = owner;
    this.base = base;
    this.address = address;
    this.bytes = bytes;
  }

  // Making and ending.

  /**
   * Allocates zeroed direct memory that begins at a cache line. It counts towards {@code
   * -XX:MaxDirectMemorySize}, and is freed when nothing refers to it, or by {@link #free}.
   *
   * @param bytes up to 2 GiB less a cache line
   * @throws OutOfMemoryError if the JVM does not allow it
   */
  public static Memory allocate(long bytes) {
    ByteBuffer root = buffer(Math.toIntExact(bytes) + CACHE_LINE);
    ByteBuffer aligned = root.alignedSlice(CACHE_LINE);
    return new Memory(root, null, addressOf(aligned), bytes);
  }

  /** Allocates a zeroed direct buffer. Other threads do not wait for it, see SteppedBuffers. */
  static ByteBuffer buffer(int bytes) {
    return RAW.allocate(bytes);
  }

  /** Returns all bytes of a buffer from 0 to its capacity, independent of position and limit. */
  public static Memory of(ByteBuffer buffer) {
    return new Memory().wrap(buffer);
  }

  public static Memory of(byte[] array) {
    return new Memory().wrap(array);
  }

  /** Returns the numbers of an array, eight bytes each. */
  public static Memory of(long[] array) {
    return new Memory(null, array, RAW.longArrayBase(), (long) array.length * Long.BYTES);
  }

  /** Makes this range cover all bytes of a buffer, like {@link #of(ByteBuffer)}. */
  public Memory wrap(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      return wrap(buffer.array(), buffer.arrayOffset(), buffer.capacity());
    }
    owner = buffer;
    base = null;
    address = addressOf(buffer);
    bytes = buffer.capacity();
    return this;
  }

  /** Makes this range cover an array. */
  public Memory wrap(byte[] array) {
    return wrap(array, 0, array.length);
  }

  /** Makes this range cover a part of an array. */
  public Memory wrap(byte[] array, int offset, int length) {
    owner = null;
    base = array;
    address = ARRAY + (long) offset;
    bytes = length;
    return this;
  }

  /** Returns a part of this range, which keeps this one reachable. */
  public Memory view(long offset, long length) {
    check(offset, length);
    return new Memory(this, base, address + offset, length);
  }

  /**
   * Returns a buffer over a part of this range, in big-endian byte order. It keeps the bytes
   * reachable.
   */
  public ByteBuffer buffer(long offset, int length) {
    check(offset, length);
    Object root = owner;
    while (root instanceof Memory parent) {
      root = parent.owner;
    }
    long at = address + offset;
    return root instanceof ByteBuffer buffer
        ? buffer.slice(Math.toIntExact(at - addressOf(buffer)), length)
        : ByteBuffer.wrap((byte[]) base).slice(arrayIndex(at), length);
  }

  private static int arrayIndex(long address) {
    return Math.toIntExact(address - ARRAY);
  }

  private static long addressOf(ByteBuffer direct) {
    return RAW.address(direct);
  }

  /**
   * Ends this range, and the one {@link #beside} it: each later access by them throws where
   * accesses are checked.
   */
  public void close() {
    bytes = CLOSED;
    Memory other = beside;
    if (other != null) {
      other.close();
    }
  }

  /** Returns another range that ends with this one, or null. */
  public Memory beside() {
    return beside;
  }

  /** Sets that range. */
  public void beside(Memory other) {
    beside = other;
  }

  /**
   * Releases the bytes to the operating system at once. No thread may use this range, a view of it
   * or a buffer over it afterwards.
   *
   * @throws IllegalStateException for a range that does not own direct memory
   */
  public void free() {
    if (!(owner instanceof ByteBuffer root) || !root.isDirect()) {
      throw new IllegalStateException("not the owner of direct memory: " + owner);
    }
    close();
    free(root);
  }

  /**
   * Releases the memory of a direct or mapped buffer at once.
   *
   * @param direct the original buffer, not a slice or duplicate
   */
  static void free(ByteBuffer direct) {
    RAW.free(direct);
  }

  /** Returns the number of bytes; 0 after {@link #close}. */
  public long bytes() {
    return Math.max(0, bytes);
  }

  /** Returns whether the bytes are in an array on the heap. */
  public boolean isOnHeap() {
    return base != null;
  }

  /** Returns whether the first byte is at a multiple of this in the address space. */
  boolean isAligned(int alignment) {
    return base == null && address % alignment == 0;
  }

  private void check(long offset, long length) {
    if (CHECKED && (offset < 0 || length < 0 || offset > bytes - length || bytes < 0)) {
      throw refused(offset, length);
    }
  }

  private void checkOffHeap(long offset, long length) {
    if (CHECKED && base != null) {
      throw new IllegalStateException("memory is on the heap");
    }
    check(offset, length);
  }

  private RuntimeException refused(long offset, long length) {
    return bytes < 0
        ? new IllegalStateException("memory was used after its release, at " + offset)
        : new IndexOutOfBoundsException(
            length + " bytes at " + offset + " are not within " + bytes + " bytes");
  }

  // Words, in the byte order of the machine; written off the heap only. If the compiler knows that
  // there is no array, an access is one instruction.

  private byte readByte(long offset) {
    return base == null ? RAW.getByte(null, address + offset) : RAW.getByte(base, address + offset);
  }

  private int readInt(long offset) {
    return base == null ? RAW.getInt(null, address + offset) : RAW.getInt(base, address + offset);
  }

  private long readLong(long offset) {
    return base == null ? RAW.getLong(null, address + offset) : RAW.getLong(base, address + offset);
  }

  public byte getByte(long offset) {
    check(offset, Byte.BYTES);
    byte value = readByte(offset);
    Reference.reachabilityFence(this);
    return value;
  }

  public void putByte(long offset, byte value) {
    checkOffHeap(offset, Byte.BYTES);
    RAW.putByte(address + offset, value);
    Reference.reachabilityFence(this);
  }

  public int getInt(long offset) {
    check(offset, Integer.BYTES);
    int value = readInt(offset);
    Reference.reachabilityFence(this);
    return value;
  }

  public void putInt(long offset, int value) {
    checkOffHeap(offset, Integer.BYTES);
    RAW.putInt(address + offset, value);
    Reference.reachabilityFence(this);
  }

  public long getLong(long offset) {
    check(offset, Long.BYTES);
    long value = readLong(offset);
    Reference.reachabilityFence(this);
    return value;
  }

  public void putLong(long offset, long value) {
    checkOffHeap(offset, Long.BYTES);
    RAW.putLong(address + offset, value);
    Reference.reachabilityFence(this);
  }

  // Shared words, off the heap only.

  public int getIntVolatile(long offset) {
    checkOffHeap(offset, Integer.BYTES);
    int value = RAW.getIntVolatile(address + offset);
    Reference.reachabilityFence(this);
    return value;
  }

  public long getLongVolatile(long offset) {
    checkOffHeap(offset, Long.BYTES);
    long value = RAW.getLongVolatile(address + offset);
    Reference.reachabilityFence(this);
    return value;
  }

  public void putLongVolatile(long offset, long value) {
    checkOffHeap(offset, Long.BYTES);
    RAW.putLongVolatile(address + offset, value);
    Reference.reachabilityFence(this);
  }

  public boolean compareAndSetLong(long offset, long expected, long value) {
    checkOffHeap(offset, Long.BYTES);
    boolean set = RAW.compareAndSetLong(address + offset, expected, value);
    Reference.reachabilityFence(this);
    return set;
  }

  /** Adds and returns the value before. */
  public int getAndAddInt(long offset, int delta) {
    checkOffHeap(offset, Integer.BYTES);
    int before = RAW.getAndAddInt(address + offset, delta);
    Reference.reachabilityFence(this);
    return before;
  }

  /** Adds and returns the value before. */
  public long getAndAddLong(long offset, long delta) {
    checkOffHeap(offset, Long.BYTES);
    long before = RAW.getAndAddLong(address + offset, delta);
    Reference.reachabilityFence(this);
    return before;
  }

  // Words in HBase's byte order.

  public short bigEndianShort(long offset) {
    check(offset, Short.BYTES);
    short value = RAW.getShort(base, address + offset);
    Reference.reachabilityFence(this);
    return LITTLE_ENDIAN ? Short.reverseBytes(value) : value;
  }

  public int bigEndianInt(long offset) {
    int value = getInt(offset);
    return LITTLE_ENDIAN ? Integer.reverseBytes(value) : value;
  }

  public long bigEndianLong(long offset) {
    long value = getLong(offset);
    return LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
  }

  /** Returns a big-endian number of one to eight bytes. */
  public long bigEndianNumber(long offset, int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << Byte.SIZE | getByte(offset + i) & 0xff;
    }
    return value;
  }

  // Runs of bytes.

  public void fill(long offset, long length, byte value) {
    check(offset, length);
    RAW.fill(base, address + offset, length, value);
    Reference.reachabilityFence(this);
  }

  /** Copies bytes to an array. Most runs are of a few bytes. */
  public void copyTo(long offset, byte[] to, int at, int length) {
    check(offset, length);
    if (CHECKED && (at < 0 || length > to.length - at)) {
      throw new IndexOutOfBoundsException(length + " bytes at " + at + " of " + to.length);
    }
    copy(address + offset, to, at, length);
    Reference.reachabilityFence(this);
  }

  private void copy(long from, byte[] to, int at, int length) {
    if (length > COPIED_BY_WORDS) {
      RAW.copy(base, from, to, at, length);
      return;
    }
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        to[at + i] = RAW.getByte(base, from + i);
      }
      return;
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      RAW.putLong(to, at + i, RAW.getLong(base, from + i));
    }
    RAW.putLong(to, at + last, RAW.getLong(base, from + last));
  }

  /** Returns the length of the common prefix of two runs of {@code length} bytes. */
  public static int mismatch(Memory a, long aOffset, Memory b, long bOffset, int length) {
    a.check(aOffset, length);
    b.check(bOffset, length);
    int at = mismatch(a.base, a.address + aOffset, b.base, b.address + bOffset, length);
    Reference.reachabilityFence(a);
    Reference.reachabilityFence(b);
    return at;
  }

  private static int mismatch(Object a, long aAddress, Object b, long bAddress, int length) {
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      long difference = RAW.getLong(a, aAddress + at) ^ RAW.getLong(b, bAddress + at);
      if (difference != 0) {
        int bits =
            LITTLE_ENDIAN
                ? Long.numberOfTrailingZeros(difference)
                : Long.numberOfLeadingZeros(difference);
        return at + bits / Byte.SIZE;
      }
    }
    while (at < length && RAW.getByte(a, aAddress + at) == RAW.getByte(b, bAddress + at)) {
      at++;
    }
    return at;
  }

  /** Compares bytes as unsigned numbers, the shorter run first if it is the other's beginning. */
  public static int compare(
      Memory a, long aOffset, int aLength, Memory b, long bOffset, int bLength) {
    int common = Math.min(aLength, bLength);
    int at = mismatch(a, aOffset, b, bOffset, common);
    return at < common
        ? (a.getByte(aOffset + at) & 0xff) - (b.getByte(bOffset + at) & 0xff)
        : aLength - bLength;
  }

  /**
   * Returns how many of sorted numbers, unsigned and in the machine's byte order, are less than
   * this one.
   */
  public int countLess(long offset, int count, long number) {
    check(offset, (long) count * Long.BYTES);
    Object array = base;
    long first = address + offset;
    int low = 0;
    int left = count;
    // The next half is chosen without a branch, which would be mispredicted half the time.
    while (left > 0) {
      int half = left >>> 1;
      long candidate = RAW.getLong(array, first + (long) Long.BYTES * (low + half));
      boolean isLess = Long.compareUnsigned(candidate, number) < 0;
      low = isLess ? low + half + 1 : low;
      left = isLess ? left - half - 1 : half;
    }
    Reference.reachabilityFence(this);
    return low;
  }

  /**
   * Returns the first bytes of a run as a number with the same unsigned order. Zeros replace
   * missing bytes.
   */
  public long prefix(long offset, int length) {
    if (length >= Long.BYTES) {
      return bigEndianLong(offset);
    }
    long prefix = 0;
    for (int i = 0; i < length; i++) {
      prefix |= (getByte(offset + i) & 0xffL) << Long.SIZE - Byte.SIZE * (i + 1);
    }
    return prefix;
  }

  @Override
  public String toString() {
    return "Memory[" + bytes() + " bytes" + (bytes < 0 ? ", released" : "") + "]";
  }
}
