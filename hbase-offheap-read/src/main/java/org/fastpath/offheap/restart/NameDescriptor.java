package org.fastpath.offheap.restart;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The name of a file with recorded blocks: a slot of the second table of the cache's file, in
 * native byte order.
 *
 * <pre>
 *  offset
 *    0  +-------------------------------+-------------------------------+
 *       | CRC32C of the rest, or 0      | length of the name, bytes     |
 *    8  +-------------------------------+-------------------------------+
 *       | name, UTF-8                                                   |
 *  256  +---------------------------------------------------------------+
 * </pre>
 */
public final class NameDescriptor {
  public static final int BYTES = 256;

  private static final int CRC = 0;
  private static final int LENGTH = 4;
  private static final int NAME = 8;

  private NameDescriptor() {}

  /**
   * @return false if it does not fit
   */
  public static boolean write(ByteBuffer slot, String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    if (text.length > BYTES - NAME) {
      return false;
    }
    clear(slot);
    slot.putInt(LENGTH, text.length).put(NAME, text);
    int crc = crc(slot, text.length);
    VarHandle.releaseFence();
    slot.putInt(CRC, crc);
    return true;
  }

  public static void clear(ByteBuffer slot) {
    slot.putInt(CRC, 0);
    VarHandle.releaseFence();
  }

  /** Returns the name, or null if there is none or it is damaged. */
  public static String read(ByteBuffer slot) {
    int length = slot.getInt(LENGTH);
    int crc = slot.getInt(CRC);
    if (crc == 0 || length <= 0 || length > BYTES - NAME || crc != crc(slot, length)) {
      return null;
    }
    byte[] text = new byte[length];
    slot.get(NAME, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static int crc(ByteBuffer slot, int length) {
    CRC32C crc = new CRC32C();
    crc.update(slot.slice(LENGTH, NAME - LENGTH + length));
    return (int) crc.getValue();
  }
}
