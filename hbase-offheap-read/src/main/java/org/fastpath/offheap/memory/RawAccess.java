package org.fastpath.offheap.memory;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes bytes by address, or in an array: the part of {@link Memory} that depends on the
 * JDK. Nothing is checked.
 *
 * <p>One implementation serves a JVM. {@link #BEST} is {@code static final}, so that the JIT
 * compiler knows its class and inlines all calls. A place is a pair of an array and an address, as
 * for {@code sun.misc.Unsafe}. An address in an array counts bytes from {@link #byteArrayBase} or
 * {@link #longArrayBase}. Without an array it is one of the address space.
 */
abstract class RawAccess {
  /** The system property that chooses the implementation. */
  static final String KEY = "org.fastpath.offheap.memory-access";

  /**
   * From this release on, Unsafe's methods for memory may throw [JEP 471]. JDK 24 and 25 warn, but
   * HBase's own use of Unsafe makes them warn anyway, and Unsafe is faster.
   */
  private static final int UNSAFE_MAY_THROW = 26;

  private static final Logger LOG = LoggerFactory.getLogger(RawAccess.class);

  /** The implementation of this JVM. */
  static final RawAccess BEST = choose(System.getProperty(KEY, "auto"));

  private static RawAccess choose(String asked) {
    return switch (asked.strip().toLowerCase(Locale.ROOT)) {
      case "unsafe" -> new UnsafeAccess();
      case "segments" -> segments();
      case "auto" ->
          Runtime.version().feature() < UNSAFE_MAY_THROW ? new UnsafeAccess() : segments();
      default -> {
        LOG.error("{} is '{}'; allowed are: auto, unsafe, segments", KEY, asked);
        yield new UnsafeAccess();
      }
    };
  }

  private static RawAccess segments() {
    try {
      return new SegmentAccess();
    } catch (LinkageError | RuntimeException e) {
      LOG.warn(
          "Memory segments cannot be used, so memory is read by Unsafe: {}. Start the JVM with"
              + " --enable-native-access=ALL-UNNAMED, and a JDK of 22 or later",
          e.getCause() == null ? e.toString() : e.getCause().toString());
      return new UnsafeAccess();
    }
  }

  /** Returns the address of the first byte of an array of bytes. */
  abstract long byteArrayBase();

  /** Returns the address of the first byte of an array of longs. */
  abstract long longArrayBase();

  /** Returns the address of the first byte of a direct buffer, whatever its position. */
  abstract long address(ByteBuffer direct);

  /** Allocates zeroed direct memory. */
  ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes);
  }

  /** Releases the memory of a direct or mapped buffer at once, if the JDK allows it. */
  abstract void free(ByteBuffer direct);

  abstract byte getByte(Object base, long address);

  abstract short getShort(Object base, long address);

  abstract int getInt(Object base, long address);

  abstract long getLong(Object base, long address);

  abstract void putByte(long address, byte value);

  abstract void putInt(long address, int value);

  abstract void putLong(long address, long value);

  /** Writes a word to an array, at any index. */
  abstract void putLong(byte[] array, int index, long value);

  abstract int getIntVolatile(long address);

  abstract long getLongVolatile(long address);

  abstract void putLongVolatile(long address, long value);

  abstract boolean compareAndSetLong(long address, long expected, long value);

  abstract int getAndAddInt(long address, int delta);

  abstract long getAndAddLong(long address, long delta);

  abstract void fill(Object base, long address, long length, byte value);

  abstract void copy(Object base, long address, byte[] to, int at, int length);
}
