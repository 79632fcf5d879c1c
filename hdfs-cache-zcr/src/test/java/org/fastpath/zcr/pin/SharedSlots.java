package org.fastpath.zcr.pin;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The slots of short-circuit reads in the memory that a DataNode shares with its clients, as the
 * kernel sees it. A slot is 64 bytes; its first word has its flags.
 */
final class SharedSlots {
  private static final String SEGMENT = "HadoopShortCircuitShm";
  private static final int SLOT_BYTES = 64;
  private static final long VALID = 1L << 63;

  private SharedSlots() {}

  /** Slots of all segments of a process that are valid. */
  static int valid(long pid) throws IOException {
    int valid = 0;
    try (RandomAccessFile memory = new RandomAccessFile("/proc/" + pid + "/mem", "r")) {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
        if (line.contains(SEGMENT)) {
          String[] range = line.substring(0, line.indexOf(' ')).split("-");
          long begin = Long.parseLong(range[0], 16);
          valid += valid(memory, begin, (int) (Long.parseLong(range[1], 16) - begin));
        }
      }
    }
    return valid;
  }

  private static int valid(RandomAccessFile memory, long begin, int length) throws IOException {
    byte[] bytes = new byte[length];
    memory.seek(begin);
    memory.readFully(bytes);
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    int valid = 0;
    for (int slot = 0; slot < length; slot += SLOT_BYTES) {
      valid += (words.getLong(slot) & VALID) != 0 ? 1 : 0;
    }
    return valid;
  }
}
