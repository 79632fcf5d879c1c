package org.fastpath.checksum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hbase.io.hfile.ChecksumUtilAccess;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hadoop.util.DataChecksum;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * A program that drives Hadoop's and HBase's checksum doors with random and with damaged input and
 * prints what came out: one hash per thousand cases. It knows nothing of our classes. The
 * transcripts of stock jars and of ours must be equal. If they differ, {@code CASES seed first
 * last} prints the cases of a line one by one.
 */
public final class ChecksumTranscript {
  static final int CASES_PER_LINE = 1000;

  private static final int POOL_BYTES = 1 << 20;
  private static final int MAX_LENGTH = 300_000;
  private static final int SMALL_BLOCK_DATA = 200;
  private static final int SMALL_BLOCK_CHUNK = 64;
  private static final String FILE = "/hbase/data/t/r/f/file";

  private static final DataChecksum.Type[] TYPES = {
    DataChecksum.Type.CRC32, DataChecksum.Type.CRC32C
  };

  private final byte[] pool = new byte[POOL_BYTES];
  private final ByteBuffer directData = ByteBuffer.allocateDirect(MAX_LENGTH + 64);
  private final ByteBuffer directSums = ByteBuffer.allocateDirect(4 * MAX_LENGTH + 64);
  private long hash;

  private ChecksumTranscript(long seed) {
    new java.util.Random(seed).nextBytes(pool);
  }

  /** Arguments: {@code HASHES|CASES seed first last}, or {@code DAMAGE}. */
  public static void main(String[] args) throws IOException {
    if (args[0].equals("DAMAGE")) {
      new ChecksumTranscript(0).damage();
      return;
    }
    long seed = Long.parseLong(args[1]);
    new ChecksumTranscript(seed)
        .random(args[0].equals("CASES"), seed, Long.parseLong(args[2]), Long.parseLong(args[3]));
  }

  private void random(boolean verbose, long seed, long first, long last) throws IOException {
    for (long i = first; i < last; i++) {
      String outcome = randomCase(new SplittableRandom(seed * 1_000_003 + i));
      hash = hash * 0x9E3779B97F4A7C15L + outcome.hashCode();
      if (verbose) {
        System.out.println("CASE " + i + " " + outcome);
      } else if ((i + 1) % CASES_PER_LINE == 0) {
        System.out.println("HASH " + (i + 1 - CASES_PER_LINE) + " " + Long.toHexString(hash));
      }
    }
  }

  private String randomCase(SplittableRandom random) throws IOException {
    DataChecksum.Type type = TYPES[random.nextInt(TYPES.length)];
    int length = length(random);
    int chunk = chunk(random);
    byte[] data = Arrays.copyOfRange(pool, 0, length);
    System.arraycopy(pool, random.nextInt(POOL_BYTES - length), data, 0, length);
    byte[] sums = sums(type, chunk, data);
    boolean damaged = random.nextBoolean() && length > 0;
    if (damaged) {
      flip(random.nextInt(4) == 0 ? sums : data, random);
    }
    DataChecksum checksum = DataChecksum.newDataChecksum(type, chunk);
    int door = random.nextInt(9);
    String name = door + " " + type + " " + length + "/" + chunk + (damaged ? " damaged: " : ": ");
    return name
        + switch (door) {
          case 0 -> verify(checksum, heap(data, random), heap(sums, random));
          case 1 ->
              verify(checksum, direct(directData, data, random), direct(directSums, sums, random));
          case 2 -> verify(checksum, heap(data, random).asReadOnlyBuffer(), heap(sums, random));
          case 3 -> calculate(checksum, heap(data, random), heap(sums, random));
          case 4 ->
              calculate(
                  checksum, direct(directData, data, random), direct(directSums, sums, random));
          case 5 -> generate(type, chunk, data, random);
          case 6 -> validate(ByteBuff.wrap(heap(block(type, chunk, data, sums), random).slice()));
          case 7 -> validate(ByteBuff.wrap(directCopy(block(type, chunk, data, sums))));
          default -> validate(multi(block(type, chunk, data, sums), random));
        };
  }

  private static int length(SplittableRandom random) {
    int kind = random.nextInt(1000);
    return random.nextInt(kind == 0 ? MAX_LENGTH : kind < 50 ? 20_000 : 1500);
  }

  private static int chunk(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1 + random.nextInt(64);
      case 1 -> 512;
      case 2 -> 16384;
      default -> 1 + random.nextInt(5000);
    };
  }

  private static byte[] sums(DataChecksum.Type type, int chunk, byte[] data) {
    byte[] sums = new byte[(data.length + chunk - 1) / chunk * 4];
    DataChecksum.newDataChecksum(type, chunk).calculateChunkedSums(data, 0, data.length, sums, 0);
    return sums;
  }

  private static void flip(byte[] bytes, SplittableRandom random) {
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
  }

  private static ByteBuffer heap(byte[] bytes, SplittableRandom random) {
    int before = random.nextInt(9);
    ByteBuffer buffer = ByteBuffer.allocate(before + bytes.length + random.nextInt(9));
    buffer.put(before, bytes);
    return buffer.position(before).limit(before + bytes.length);
  }

  private static ByteBuffer direct(ByteBuffer into, byte[] bytes, SplittableRandom random) {
    int before = random.nextInt(64);
    ByteBuffer buffer = into.duplicate().limit(before + bytes.length).position(before);
    buffer.duplicate().put(bytes);
    return buffer;
  }

  private static ByteBuffer directCopy(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private static String verify(DataChecksum checksum, ByteBuffer data, ByteBuffer sums) {
    int[] before = {data.position(), data.limit(), sums.position(), sums.limit()};
    String outcome;
    try {
      checksum.verifyChunkedSums(data, sums, FILE, 1_000_000_007L * data.remaining());
      outcome = "ok";
    } catch (ChecksumException e) {
      outcome = e.getMessage() + " pos " + e.getPos();
    } catch (RuntimeException e) {
      outcome = e.toString();
    }
    int[] after = {data.position(), data.limit(), sums.position(), sums.limit()};
    return outcome + (Arrays.equals(before, after) ? "" : " moved " + Arrays.toString(after));
  }

  private static String calculate(DataChecksum checksum, ByteBuffer data, ByteBuffer sums) {
    for (int i = sums.position(); i < sums.limit(); i++) {
      sums.put(i, (byte) 0);
    }
    checksum.calculateChunkedSums(data, sums);
    byte[] written = new byte[sums.remaining()];
    sums.duplicate().get(written);
    return Arrays.hashCode(written) + " at " + sums.position() + " of " + data.position();
  }

  private static String generate(
      DataChecksum.Type type, int chunk, byte[] data, SplittableRandom random) throws IOException {
    int start = random.nextInt(data.length + 1);
    int end = start + random.nextInt(data.length - start + 1);
    int sumsOff = random.nextInt(8);
    byte[] sums = new byte[sumsOff + (end - start + chunk - 1) / chunk * 4 + random.nextInt(4)];
    ChecksumUtilAccess.generate(data, start, end, sums, sumsOff, hbaseType(type), chunk);
    return String.valueOf(Arrays.hashCode(sums));
  }

  private static ChecksumType hbaseType(DataChecksum.Type type) {
    return type == DataChecksum.Type.CRC32 ? ChecksumType.CRC32 : ChecksumType.CRC32C;
  }

  /**
   * Returns a block whose data starts with a header. The checksums cover the header, so they are
   * computed again.
   */
  private static byte[] block(DataChecksum.Type type, int chunk, byte[] data, byte[] sums) {
    int header = ChecksumUtilAccess.HEADER_SIZE;
    byte[] head = Arrays.copyOf(data, Math.max(header, data.length));
    ByteBuffer fields = ByteBuffer.wrap(head);
    fields.put(ChecksumUtilAccess.CHECKSUM_TYPE_INDEX, hbaseType(type).getCode());
    fields.putInt(ChecksumUtilAccess.BYTES_PER_CHECKSUM_INDEX, chunk);
    fields.putInt(ChecksumUtilAccess.DATA_SIZE_INDEX, head.length);
    byte[] headSums = sums(type, chunk, head);
    // Damage done to the given sums is carried over: they differ from fresh ones in the damaged
    // bit.
    byte[] clean = sums(type, chunk, data);
    for (int i = 0; i < Math.min(sums.length, headSums.length); i++) {
      headSums[i] ^= (byte) (sums[i] ^ clean[i]);
    }
    byte[] block = Arrays.copyOf(head, head.length + headSums.length);
    System.arraycopy(headSums, 0, block, head.length, headSums.length);
    return block;
  }

  private static ByteBuff multi(byte[] block, SplittableRandom random) {
    int count = 2 + random.nextInt(19);
    List<ByteBuffer> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < count; i++) {
      int left = block.length - from;
      int size = i == count - 1 ? left : random.nextInt(Math.max(1, 2 * left / (count - i)) + 1);
      size = Math.min(size, left);
      byte[] part = Arrays.copyOfRange(block, from, from + size);
      parts.add(part(part, random));
      from += size;
    }
    return ByteBuff.wrap(parts.toArray(new ByteBuffer[0]));
  }

  private static ByteBuffer part(byte[] bytes, SplittableRandom random) {
    // slice(): HBase counts from index 0 of a part.
    return random.nextInt(3) == 0
        ? ByteBuffer.wrap(bytes)
        : directCopy(Arrays.copyOf(bytes, bytes.length + 5)).limit(bytes.length).slice();
  }

  private static String validate(ByteBuff block) {
    int position = block.position();
    int limit = block.limit();
    String outcome;
    try {
      outcome = String.valueOf(ChecksumUtilAccess.validate(block, FILE));
    } catch (RuntimeException | OutOfMemoryError e) {
      // Stock allocates a chunk, however long a damaged header says that it is.
      outcome = e.toString();
    }
    boolean moved = block.position() != position || block.limit() != limit;
    return outcome + (moved ? " moved" : "");
  }

  /** Tries every one-bit error of a small block in each kind of buffer, with the log at TRACE. */
  private void damage() {
    Logger logger = Logger.getLogger("org.apache.hadoop.hbase.io.hfile.ChecksumUtil");
    logger.setAdditivity(false);
    logger.setLevel(Level.TRACE);
    Printer printer = new Printer();
    logger.addAppender(printer);
    for (DataChecksum.Type type : TYPES) {
      byte[] data = Arrays.copyOf(pool, SMALL_BLOCK_DATA);
      byte[] clean = block(type, SMALL_BLOCK_CHUNK, data, sums(type, SMALL_BLOCK_CHUNK, data));
      for (int bit = 0; bit < clean.length * 8; bit++) {
        byte[] block = clean.clone();
        printer.muted = inSizes(bit / 8);
        block[bit / 8] ^= (byte) (1 << bit % 8);
        System.out.println("DAMAGE " + type + " bit " + bit + describe(block, bit / 8));
      }
    }
  }

  private String describe(byte[] block, int at) {
    StringBuilder outcomes = new StringBuilder();
    List<ByteBuff> kinds =
        List.of(
            ByteBuff.wrap(ByteBuffer.wrap(block)),
            ByteBuff.wrap(directCopy(block)),
            multi(block, new SplittableRandom(at)));
    for (ByteBuff kind : kinds) {
      String outcome = validate(kind);
      outcomes.append(' ').append(inSizes(at) ? !outcome.equals("true") : outcome);
    }
    return outcomes.toString();
  }

  /**
   * Returns whether the error is in a size. A wrong size makes stock read behind the block, so only
   * the rejection can be compared.
   */
  private static boolean inSizes(int at) {
    return at >= ChecksumUtilAccess.BYTES_PER_CHECKSUM_INDEX
        && at < ChecksumUtilAccess.DATA_SIZE_INDEX + 4;
  }

  private static final class Printer extends AppenderSkeleton {
    private boolean muted;

    @Override
    protected void append(LoggingEvent event) {
      if (!muted) {
        System.out.println(
            "DAMAGE log " + event.getLevel() + " " + event.getRenderedMessage() + thrown(event));
      }
    }

    private static String thrown(LoggingEvent event) {
      return event.getThrowableInformation() == null ? "" : " with an exception";
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }
}
