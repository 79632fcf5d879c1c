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
 * Computes chunked CRCs by {@link java.util.zip.CRC32} and {@link java.util.zip.CRC32C}. The JVM
 * replaces their {@code update} methods by carry-less multiplication over 128- to 512-bit
 * registers.
 *
 * <h2>Why the JDK suffices</h2>
 *
 * The intrinsics fold four or more registers at a time by multiplication with powers of x modulo
 * the polynomial [1] and reduce once at the end [2]. They run at the speed of the L2 cache.
 * Hadoop's Java code loses time around them:
 *
 * <ul>
 *   <li>direct data is copied into an array of a chunk's size, though {@code update(ByteBuffer)}
 *       takes its address;
 *   <li>multi-part data is copied 256 bytes at a time, which is too short for the wide registers;
 *   <li>a checksum object, two duplicates and a {@code DataChecksum} are made for each block.
 * </ul>
 *
 * So this class makes one update per chunk and part, the longest that the layout allows. Chunks of
 * 512 bytes are too short for CRC32C without AVX-512; there libhadoop is faster. It works on ranges
 * of the caller's own buffers, with a CRC object per thread. {@link JdkInternals} explains the
 * method and its gain.
 *
 * <h2>Rejected: combined checksums</h2>
 *
 * A CRC is linear. One pass over all data could be compared with the stored checksums combined by
 * multiplication [3]. It would verify 512-byte chunks nearly twice as fast. But mismatches of two
 * chunks could cancel. The Hamming distance would be that of the whole block (4 over 64 KiB), not
 * of the chunk (6 over 512 bytes for CRC32C [4]). So every checksum is compared separately.
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

  /** Big endian on every machine: the order of checksums in files. */
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
   * The two inner loops. They test constant conditions in each round: verify or compute, array or buffer. The JIT compiler moves these tests out of the loop. Ends are compared by subtraction, because from + step may exceed an int.
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

  /**
   * Compares a chunk's checksum with the stored one, or stores it. Returns false if they differ.
   */
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
   * Walks over the parts of a call, on one thread. Whole chunks that lie in one part with their
   * checksums go through the inner loops together. A chunk that crosses a border is processed piece
   * by piece.
   */
  private static final class Walk {
    final RunningCrc crc;
    private boolean verify;
    private int chunk;
    private int total;

    /** Length of the processed data: the start of the current chunk. */
    private int settled;

    /** Bytes of the current chunk that the CRC holds. */
    private int filled;

    /** Parts that hold the stored checksums; null when checksums are computed. */
    private ByteBuffer[] sumParts;

    private int sumPart;

    /** The buffer of the next checksum, and the checksum's place in it. */
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

    /** Returns the offset of the first chunk that does not match, or {@link #ALL_MATCH}. */
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

    /** Returns the number of checksums that fit into the current buffer, from the next one on. */
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
