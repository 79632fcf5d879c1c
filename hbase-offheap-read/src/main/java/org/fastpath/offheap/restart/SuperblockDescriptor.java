package org.fastpath.offheap.restart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The first page of the cache's file: whose file it is, and what its contents mean. Numbers are
 * big-endian on every machine.
 *
 * <pre>
 *  offset
 *    0  +-------------------------------+-------------------------------+
 *       | magic                                                         |
 *    8  +-------------------------------+-------------------------------+
 *       | CRC32C of what follows        | format version                |
 *   16  +-------------------------------+-------------------------------+
 *       | length of the description     | description, UTF-8 ...        |
 * 4096  +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>The description is all that tables and data depend on, in words: files are used again only if
 * it is the same, and a log line can say what is not. A file that is being made has a magic number
 * and no CRC, so that one whose making was interrupted is known to be ours.
 */
public final class SuperblockDescriptor {
  public static final int BYTES = 4096;

  /** Changes when a layout in the file changes, also that of extents. */
  public static final int FORMAT = 1;

  private static final long MAGIC = 0x46505741524D4231L;

  private static final int MAGIC_AT = 0;
  private static final int CRC = 8;
  private static final int VERSION = 12;
  private static final int LENGTH = 16;
  private static final int DESCRIPTION = 20;

  private SuperblockDescriptor() {}

  /** Of a file that is being made. */
  public static ByteBuffer unfinished() {
    return ByteBuffer.allocate(BYTES).putLong(MAGIC_AT, MAGIC);
  }

  /** Of a file whose tables and data are there. */
  public static ByteBuffer finished(String description) {
    byte[] text = description.getBytes(StandardCharsets.UTF_8);
    ByteBuffer block = unfinished();
    block.putInt(VERSION, FORMAT).putInt(LENGTH, text.length).put(DESCRIPTION, text);
    return block.putInt(CRC, crc(block));
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(VERSION, BYTES - VERSION));
    return (int) crc.getValue();
  }

  public static boolean isOurs(ByteBuffer block) {
    return block.getLong(MAGIC_AT) == MAGIC;
  }

  /** What was given when it was finished; null if it was not, is damaged or of another version. */
  public static String description(ByteBuffer block) {
    if (!isOurs(block) || block.getInt(CRC) != crc(block) || block.getInt(VERSION) != FORMAT) {
      return null;
    }
    byte[] text = new byte[block.getInt(LENGTH)];
    block.get(DESCRIPTION, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
