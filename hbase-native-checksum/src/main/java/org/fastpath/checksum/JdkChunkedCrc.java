package org.fastpath.checksum;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Chunked CRCs by {@link java.util.zip.CRC32} and {@link java.util.zip.CRC32C}, whose {@code
 * update} methods the JVM replaces by carry-less multiplication over 128- to 512-bit registers.
 *
 * <h2>Why this is all it takes</h2>
 *
 * The intrinsics fold four or more registers at a time by multiplication with powers of x modulo
 * the polynomial [1] and reduce once at the end [2]. They run at the speed of the L2 cache; what
 * Hadoop's own Java code loses is lost around them:
 *
 * <ul>
 *   <li>direct data is copied into an array of a chunk's size, though {@code update(ByteBuffer)}
 *       takes its address;
 *   <li>multi-part data is copied 256 bytes at a time, and 256 bytes are too few for the wide
 *       registers to pay;
 *   <li>a checksum object, two duplicates and a {@code DataChecksum} are made for each block.
 * </ul>
 *
 * So this class makes one update per chunk and part, the longest that the layout allows, on a CRC
 * that the thread keeps, over ranges of the caller's own buffers ({@link JdkInternals} tells how,
 * and what that is worth).
 *
 * <h2>What was left out on purpose</h2>
 *
 * A CRC is linear: one pass over all data at full speed, compared with the stored checksums
 * combined by multiplication [3], would verify 512-byte chunks nearly twice as fast. But mismatches
 * of two chunks could then cancel, and the Hamming distance would be the whole block's (4 over 64
 * KiB) in place of the chunk's (6 over 512 bytes for CRC32C [4]). Every checksum is compared by
 * itself here.
 *
 * <ol>
 *   <li>V. Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction,
 *       Intel, 2009.
 *   <li>HotSpot's {@code StubGenerator}: updateBytesCRC32 and updateBytesCRC32C, for x86 and
 *       aarch64.
 *   <li>M. Adler, {@code crc32_combine} of zlib; Hadoop's {@code CrcUtil.compose}.
 *   <li>P. Koopman, 32-Bit Cyclic Redundancy Codes for Internet Applications, DSN 2002.
 * </ol>
 */
final class JdkChunkedCrc implements ChunkedCrc {
  static final String NAME = "jdk";

  /** Big endian whatever the machine's order is: the order of checksums in files. */
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final ThreadLocal<Walk> walks;

  JdkChunkedCrc(CrcAlgorithm algorithm) {
    this(() -> JdkInternals.newCrc(algorithm));
  }

  JdkChunkedCrc(Supplier<RunningCrc> crcs) {
    this.walks = ThreadLocal.withInitial(() -> new Walk(crcs.get()));
  }

  @Override
  public String provider() {
    return NAME;
  }

  @Override
  public int verify(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    return heap(walks.get().crc, true, chunk, data, off, len, sums, null, sumsOff);
  }

  @Override
  public void compute(int chunk, byte[] data, int off, int len, byte[] sums, int sumsOff) {
    heap(walks.get().crc, false, chunk, data, off, len, sums, null, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    return buffer(walks.get().crc, true, chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public void compute(int chunk, ByteBuffer data, int off, int len, ByteBuffer sums, int sumsOff) {
    buffer(walks.get().crc, false, chunk, data, off, len, sums, sumsOff);
  }

  @Override
  public int verify(int chunk, ByteBuffer[] parts, int off, int len, int sumsOff) {
    Walk walk = walks.get();
    try {
      walk.start(true, chunk, len);
      walk.sumsIn(parts, sumsOff);
      return walk.over(parts, off);
    } finally {
      walk.forget();
    }
  }

  @Override
  public void compute(
      int chunk, ByteBuffer[] parts, int off, int len, ByteBuffer sums, int sumsOff) {
    Walk walk = walks.get();
    try {
      walk.start(false, chunk, len);
      walk.sumsOut(sums, sumsOff);
      walk.over(parts, off);
    } finally {
      walk.forget();
    }
  }

  private static int buffer(
      RunningCrc crc,
      boolean verify,
      int chunk,
      ByteBuffer data,
      int off,
      int len,
      ByteBuffer sums,
      int sumsOff) {
    Objects.checkFromIndexSize(off, len, data.limit());
    byte[] array = JdkInternals.array(data);
    if (array == null) {
      return direct(crc, verify, chunk, data, off, len, sums, sumsOff);
    }
    int arrayOff = JdkInternals.arrayOffset(data) + off;
    return heap(crc, verify, chunk, array, arrayOff, len, null, sums, sumsOff);
  }

  /*
   * The two inner loops. What does not change in them (verify or compute, checksums in an array or
   * in a buffer) is tested in each round as it is written, and lifted out of the loop by the
   * compiler. Ends are compared by subtraction, for from + step may exceed an int by less than len.
   */

  private static int heap(
      RunningCrc crc,
      boolean verify,
      int chunk,
      byte[] data,
      int off,
      int len,
      byte[] sumArray,
      ByteBuffer sumBuffer,
      int sumsOff) {
    int end = off + len;
    int step = Math.min(chunk, len);
    int sumAt = sumsOff;
    for (int from = off; end - from > 0; from += step, sumAt += SUM_BYTES) {
      crc.reset();
      crc.update(data, from, Math.min(step, end - from));
      if (!settle(verify, crc.value(), sumArray, sumBuffer, sumAt)) {
        return from - off;
      }
    }
    return ALL_MATCH;
  }

  private static int direct(
      RunningCrc crc,
      boolean verify,
      int chunk,
      ByteBuffer data,
      int off,
      int len,
      ByteBuffer sumBuffer,
      int sumsOff) {
    int end = off + len;
    int step = Math.min(chunk, len);
    int sumAt = sumsOff;
    for (int from = off; end - from > 0; from += step, sumAt += SUM_BYTES) {
      crc.reset();
      crc.update(data, from, Math.min(step, end - from));
      if (!settle(verify, crc.value(), null, sumBuffer, sumAt)) {
        return from - off;
      }
    }
    return ALL_MATCH;
  }

  /** Compares a chunk's checksum with the stored one, or stores it; false where they differ. */
  private static boolean settle(
      boolean verify, int sum, byte[] sumArray, ByteBuffer sumBuffer, int at) {
    if (verify) {
      return sum == (sumArray != null ? readSum(sumArray, at) : readSum(sumBuffer, at));
    }
    if (sumArray != null) {
      writeSum(sumArray, at, sum);
    } else {
      writeSum(sumBuffer, at, sum);
    }
    return true;
  }

  private static int readSum(byte[] sums, int at) {
    checkRoom(sums, at);
    return (int) INT.get(sums, at);
  }

  private static void writeSum(byte[] sums, int at, int sum) {
    checkRoom(sums, at);
    INT.set(sums, at, sum);
  }

  private static void checkRoom(byte[] sums, int at) {
    if (at < 0 || at > sums.length - SUM_BYTES) {
      int missing = at < 0 ? at : Math.max(at, sums.length);
      throw new ArrayIndexOutOfBoundsException(
          "Index " + missing + " out of bounds for length " + sums.length);
    }
  }

  private static int readSum(ByteBuffer sums, int at) {
    if (at > sums.limit() - SUM_BYTES) {
      throw new BufferUnderflowException();
    }
    return bigEndian(sums, sums.getInt(at));
  }

  private static void writeSum(ByteBuffer sums, int at, int sum) {
    if (at > sums.limit() - SUM_BYTES) {
      throw new BufferOverflowException();
    }
    sums.putInt(at, bigEndian(sums, sum));
  }

  private static int bigEndian(ByteBuffer buffer, int value) {
    return buffer.order() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }

  /**
   * One thread's walk over the parts of a call: whole chunks go through the inner loops, as many at
   * a time as lie in one part with their checksums; what crosses a border goes piece by piece.
   */
  private static final class Walk {
    final RunningCrc crc;
    private boolean verify;
    private int chunk;
    private int total;

    /**
     * Data settled so far: where the chunk under way starts, counted from the start of the data.
     */
    private int settled;

    /** Bytes of the chunk under way that the CRC holds. */
    private int filled;

    /** Parts that hold the stored checksums; null when checksums are computed. */
    private ByteBuffer[] sumParts;

    private int sumPart;

    /** The buffer that holds, or takes, the next checksum, and the checksum's place in it. */
    private ByteBuffer sums;

    private int sumAt;

    Walk(RunningCrc crc) {
      this.crc = crc;
    }

    void start(boolean verify, int chunk, int total) {
      this.verify = verify;
      this.chunk = chunk;
      this.total = total;
      settled = 0;
      filled = 0;
      crc.reset();
    }

    void sumsIn(ByteBuffer[] parts, int off) {
      sumParts = parts;
      sumPart = 0;
      sums = parts[0];
      sumAt = off;
      skipFinishedSumParts();
    }

    void sumsOut(ByteBuffer into, int off) {
      sums = into;
      sumAt = off;
    }

    /** A thread's state must not keep a block's memory alive. */
    void forget() {
      sumParts = null;
      sums = null;
    }

    /** The offset of the first chunk that does not match, or {@link #ALL_MATCH}. */
    int over(ByteBuffer[] parts, int off) {
      int skip = off;
      int left = total;
      for (int i = 0; left > 0; i++) {
        if (i == parts.length) {
          throw new IndexOutOfBoundsException(
              "Range [" + off + ", " + off + " + " + total + ") out of bounds for the parts");
        }
        int limit = parts[i].limit();
        int from = Math.min(skip, limit);
        int length = Math.min(limit - from, left);
        if (!part(parts[i], from, length)) {
          return settled;
        }
        skip -= from;
        left -= length;
      }
      return ALL_MATCH;
    }

    private boolean part(ByteBuffer part, int off, int len) {
      int end = off + len;
      int from = off;
      while (from < end) {
        int whole = filled == 0 ? Math.min((end - from) / chunk, sumsAtHand()) : 0;
        int step = whole > 0 ? whole * chunk : Math.min(chunkLength() - filled, end - from);
        if (!(whole > 0 ? wholeChunks(part, from, step, whole) : piece(part, from, step))) {
          return false;
        }
        from += step;
      }
      return true;
    }

    private boolean wholeChunks(ByteBuffer part, int off, int len, int count) {
      int bad = buffer(crc, verify, chunk, part, off, len, sums, sumAt);
      settled += bad == ALL_MATCH ? len : bad;
      sumAt += count * SUM_BYTES;
      crc.reset();
      return bad == ALL_MATCH;
    }

    private boolean piece(ByteBuffer part, int off, int len) {
      byte[] array = JdkInternals.array(part);
      if (array == null) {
        crc.update(part, off, len);
      } else {
        crc.update(array, JdkInternals.arrayOffset(part) + off, len);
      }
      filled += len;
      return filled < chunkLength() || settleChunk();
    }

    private boolean settleChunk() {
      int sum = crc.value();
      if (verify) {
        if (sum != nextSum()) {
          return false;
        }
      } else {
        writeSum(sums, sumAt, sum);
        sumAt += SUM_BYTES;
      }
      settled += filled;
      filled = 0;
      crc.reset();
      return true;
    }

    private int chunkLength() {
      return Math.min(chunk, total - settled);
    }

    /** How many checksums the current buffer has room for, from the next one on. */
    private int sumsAtHand() {
      skipFinishedSumParts();
      return (sums.limit() - sumAt) / SUM_BYTES;
    }

    private int nextSum() {
      int sum = 0;
      for (int i = 0; i < SUM_BYTES; i++) {
        skipFinishedSumParts();
        if (sumAt >= sums.limit()) {
          throw new BufferUnderflowException();
        }
        sum = sum << Byte.SIZE | sums.get(sumAt++) & 0xff;
      }
      return sum;
    }

    private void skipFinishedSumParts() {
      while (sumParts != null && sumAt >= sums.limit() && sumPart + 1 < sumParts.length) {
        sumAt -= sums.limit();
        sums = sumParts[++sumPart];
      }
    }
  }
}
