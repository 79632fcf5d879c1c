package org.fastpath.offheap.restart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The first page of the cache's file: its owner and the format of its content. Numbers are
 * big-endian on every machine.
 *
 * <pre>
 *  offset
 *    0  +-------------------------------+-------------------------------+
 *       | magic                                                         |
 *    8  +-------------------------------+-------------------------------+
 *       | CRC32C of the rest            | format version                |
 *   16  +-------------------------------+-------------------------------+
 *       | length of the description     | description, UTF-8 ...        |
 * 4096  +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>The description is a text with all parameters of tables and data. A file is used again only if
 * it is equal, and a log line can show the difference. An unfinished file has a magic number and no
 * CRC, so that it is recognized as ours.
 */
public final class SuperblockDescriptor {
  public static final int BYTES = 4096;

  /** The version of the layouts in the file, including those of extents and indexes. */
  public static final int FORMAT = 2;

  private static final long MAGIC = 0x46505741524D4231L;

  private static final int MAGIC_AT = 0;
  private static final int CRC = 8;
  private static final int VERSION = 12;
  private static final int LENGTH = 16;
  private static final int DESCRIPTION = 20;

  private SuperblockDescriptor() {}

  /** Returns the superblock of an unfinished file. */
  public static ByteBuffer unfinished() {
    return ByteBuffer.allocate(BYTES).putLong(MAGIC_AT, MAGIC);
  }

  /** Returns the superblock of a complete file. */
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

  /** Returns the description; null if the file is unfinished, damaged or of another version. */
  public static String description(ByteBuffer block) {
    if (!isOurs(block) || block.getInt(CRC) != crc(block) || block.getInt(VERSION) != FORMAT) {
      return null;
    }
    byte[] text = new byte[block.getInt(LENGTH)];
    block.get(DESCRIPTION, text);
    return new String(text, StandardCharsets.UTF_8);
  }
}
