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
 * The intrinsics themselves: the private static methods of {@link CRC32} and {@link CRC32C} that
 * the JVM replaces by machine code, and the address and array behind a buffer.
 *
 * <h2>Why not the public methods</h2>
 *
 * {@code update(ByteBuffer)} takes its range from position and limit and moves the position. To use
 * it one must either move the caller's, which Hadoop promises not to do and which two readers of
 * one buffer would not survive, or make a duplicate. A compiler that inlines all of it keeps the
 * duplicate in registers, and in a small program it does; inside DataChecksum and HBase it was seen
 * to give up. Measured there on 64 KiB (x86-64 with AVX-512, JDK 17, {@code
 * ChecksumUtil.validateChecksum} and {@code DataChecksum.verifyChunkedSums}): 64 bytes per call on
 * direct buffers, 256 bytes on two parts and up to 3,136 bytes on 17 parts, and at 512-byte chunks
 * 15 to 25 % of the speed. The private methods take a range as it is: nothing to allocate, nothing
 * to move. They have had these signatures since JDK 9 and have them in JDK 25.
 *
 * <h2>How, and what if not</h2>
 *
 * Private members of {@code java.base} are reached by the trusted lookup, which {@code
 * sun.misc.Unsafe} can read, as HBase and Netty reach what they need. Should a JDK close that door,
 * rename a method or give it another meaning (the check value of each polynomial is computed before
 * it is trusted), the public methods are used: same results, a small object per call. One line in
 * the log says so.
 *
 * <p>The private methods check no bounds. The array range is checked here; the buffer range is the
 * caller's duty.
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

  /** A CRC by the intrinsics where they can be reached, else by the public methods. */
  static RunningCrc newCrc(CrcAlgorithm algorithm) {
    if (!TRUSTED) {
      return new RunningCrc.Public(algorithm);
    }
    return algorithm == CrcAlgorithm.CRC32C ? new Crc32c() : new Crc32();
  }

  /**
   * The array behind a heap buffer, also a read-only one; null where there is none or it cannot be
   * seen.
   */
  static byte[] array(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return buffer.array();
    }
    return buffer.isDirect() || !TRUSTED ? null : (byte[]) ARRAY.get(buffer);
  }

  /** Where index 0 of {@code buffer} lies in its {@link #array}, which is not null. */
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
          "Checksums: this JDK's intrinsics are reached by public methods only: {}", e.toString());
      return false;
    }
  }

  /** By reflection, for the compiler warns of every mention of sun.misc.Unsafe. */
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
    boolean right =
        givesCheckValue(new Crc32(), 0xCBF43926) && givesCheckValue(new Crc32c(), 0xE3069283);
    if (!right) {
      LOG.warn("Checksums: this JDK's intrinsics are not what they were; public methods are used");
    }
    return right;
  }

  /**
   * The CRC of the digits 1 to 9, by which catalogues tell polynomials; in two pieces, from an
   * array and from memory.
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
