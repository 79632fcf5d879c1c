package org.fastpath.checksum;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the intrinsics directly: the private static methods of {@link CRC32} and {@link CRC32C}
 * that the JVM replaces by machine code. Also finds the address and array behind a buffer.
 *
 * <h2>Cost of the public methods</h2>
 *
 * {@code update(ByteBuffer)} takes its range from position and limit and moves the position. Hadoop
 * promises not to move the caller's position, and two readers may share a buffer. So each call
 * would need a duplicate. A compiler that inlines everything keeps the duplicate in registers. It
 * does so in a small program, but not inside DataChecksum and HBase.
 *
 * <p>Measured on 64 KiB (x86-64 with AVX-512, JDK 17) in {@code ChecksumUtil.validateChecksum} and
 * {@code DataChecksum.verifyChunkedSums}: 64 bytes per call on direct buffers, 256 bytes on two
 * parts, up to 3,136 bytes on 17 parts. At 512-byte chunks it costs 15 to 25 % of the speed. The
 * private methods take a range without allocation or movement. Their signatures are the same from
 * JDK 9 to JDK 25.
 *
 * <h2>Access and fallback</h2>
 *
 * The trusted lookup reaches private members of {@code java.base}. {@code sun.misc.Unsafe} can read
 * that lookup; HBase and Netty use the same way. The check value of each polynomial is computed
 * before a method is trusted. If a JDK blocks the access or changes a method, the public methods
 * are used: same results, one small object per call. One line in the log says so.
 *
 * <p>The private methods check no bounds. This class checks the array range; the caller checks the
 * buffer range.
 */
final class JdkInternals {
  private static final Logger LOG = LoggerFactory.getLogger(JdkInternals.class);

  private static final MethodHandle CRC32_ARRAY;
  private static final MethodHandle CRC32_ADDRESS;
  private static final MethodHandle CRC32C_ARRAY;
  private static final MethodHandle CRC32C_ADDRESS;
  private static final VarHandle ADDRESS;
  private static final VarHandle ARRAY;
  private static final VarHandle ARRAY_OFFSET;

  private static final boolean TRUSTED;

  static {
    MethodHandle[] methods = new MethodHandle[4];
    VarHandle[] fields = new VarHandle[3];
    boolean found = find(methods, fields);
    CRC32_ARRAY = methods[0];
    CRC32_ADDRESS = methods[1];
    CRC32C_ARRAY = methods[2];
    CRC32C_ADDRESS = methods[3];
    ADDRESS = fields[0];
    ARRAY = fields[1];
    ARRAY_OFFSET = fields[2];
    TRUSTED = found && givesCheckValues();
  }

  private JdkInternals() {}

  /** Returns a CRC by the intrinsics if they can be reached, otherwise by the public methods. */
  static RunningCrc newCrc(CrcAlgorithm algorithm) {
    if (!TRUSTED) {
      return new RunningCrc.Public(algorithm);
    }
    return algorithm == CrcAlgorithm.CRC32C ? new Crc32c() : new Crc32();
  }

  /**
   * Returns the array behind a heap buffer, also a read-only one; null if there is none or it is
   * not accessible.
   */
  static byte[] array(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return buffer.array();
    }
    return buffer.isDirect() || !TRUSTED ? null : (byte[]) ARRAY.get(buffer);
  }

  /** Returns where index 0 of {@code buffer} lies in its {@link #array}, which is not null. */
  static int arrayOffset(ByteBuffer buffer) {
    return buffer.hasArray() ? buffer.arrayOffset() : (int) ARRAY_OFFSET.get(buffer);
  }

  private static boolean find(MethodHandle[] methods, VarHandle[] fields) {
    try {
      MethodHandles.Lookup lookup = trustedLookup();
      MethodType array =
          MethodType.methodType(int.class, int.class, byte[].class, int.class, int.class);
      MethodType address =
          MethodType.methodType(int.class, int.class, long.class, int.class, int.class);
      methods[0] = lookup.findStatic(CRC32.class, "updateBytes0", array);
      methods[1] = lookup.findStatic(CRC32.class, "updateByteBuffer0", address);
      methods[2] = lookup.findStatic(CRC32C.class, "updateBytes", array);
      methods[3] = lookup.findStatic(CRC32C.class, "updateDirectByteBuffer", address);
      fields[0] = lookup.findVarHandle(Buffer.class, "address", long.class);
      fields[1] = lookup.findVarHandle(ByteBuffer.class, "hb", byte[].class);
      fields[2] = lookup.findVarHandle(ByteBuffer.class, "offset", int.class);
      return true;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info(
          "Checksums: this JDK blocks direct access to its CRC intrinsics, so public methods "
              + "are used: {}",
          e.toString());
      return false;
    }
  }

  /** Uses reflection, because the compiler warns of every mention of sun.misc.Unsafe. */
  private static MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Object unsafe = instance.get(null);
    Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
    Method base = type.getMethod("staticFieldBase", Field.class);
    Method offset = type.getMethod("staticFieldOffset", Field.class);
    Method get = type.getMethod("getObject", Object.class, long.class);
    return (MethodHandles.Lookup)
        get.invoke(unsafe, base.invoke(unsafe, lookup), offset.invoke(unsafe, lookup));
  }

  private static boolean givesCheckValues() {
    try {
      boolean right =
          givesCheckValue(new Crc32(), 0xCBF43926) && givesCheckValue(new Crc32c(), 0xE3069283);
      if (!right) {
        LOG.warn(
            "Checksums: this JDK's CRC intrinsics give wrong results, so public methods are "
                + "used");
      }
      return right;
    } catch (OutOfMemoryError e) {
      // Without memory for the test, the public methods are used.
      return false;
    }
  }

  /**
   * Returns whether the CRC of the digits 1 to 9 is the polynomial's check value. It computes it in
   * two pieces, from an array and from memory.
   */
  private static boolean givesCheckValue(RunningCrc crc, int expected) {
    byte[] digits = "_123456789_".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer direct = ByteBuffer.allocateDirect(digits.length).put(0, digits);
    crc.reset();
    crc.update(digits, 1, 4);
    crc.update(direct, 5, 5);
    return crc.value() == expected;
  }

  private static void checkRange(byte[] data, int off, int len) {
    if (off < 0 || len < 0 || off > data.length - len) {
      throw new ArrayIndexOutOfBoundsException();
    }
  }

  private static AssertionError cannotThrow(Throwable t) {
    return new AssertionError("the JDK's CRC methods throw nothing", t);
  }

  private static final class Crc32 extends RunningCrc {
    private int crc;

    @Override
    void reset() {
      crc = 0;
    }

    @Override
    void update(byte[] data, int off, int len) {
      checkRange(data, off, len);
      try {
        crc = (int) CRC32_ARRAY.invokeExact(crc, data, off, len);
      } catch (Throwable t) {
        throw cannotThrow(t);
      }
    }

    @Override
    void update(ByteBuffer data, int off, int len) {
      try {
        crc = (int) CRC32_ADDRESS.invokeExact(crc, (long) ADDRESS.get((Buffer) data), off, len);
      } catch (Throwable t) {
        throw cannotThrow(t);
      } finally {
        Reference.reachabilityFence(data);
      }
    }

    @Override
    int value() {
      return crc;
    }
  }

  private static final class Crc32c extends RunningCrc {
    private int crc = -1;

    @Override
    void reset() {
      crc = -1;
    }

    @Override
    void update(byte[] data, int off, int len) {
      checkRange(data, off, len);
      try {
        crc = (int) CRC32C_ARRAY.invokeExact(crc, data, off, off + len);
      } catch (Throwable t) {
        throw cannotThrow(t);
      }
    }

    @Override
    void update(ByteBuffer data, int off, int len) {
      try {
        long address = (long) ADDRESS.get((Buffer) data);
        crc = (int) CRC32C_ADDRESS.invokeExact(crc, address, off, off + len);
      } catch (Throwable t) {
        throw cannotThrow(t);
      } finally {
        Reference.reachabilityFence(data);
      }
    }

    @Override
    int value() {
      return ~crc;
    }
  }
}
