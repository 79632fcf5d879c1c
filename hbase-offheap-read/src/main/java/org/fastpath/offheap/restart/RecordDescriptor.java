package org.fastpath.offheap.restart;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The record of a block in the third table of the cache's file, by the number of the block's entry,
 * in native byte order.
 *
 * <pre>
 *  offset
 *    0  +-------------------------------+-------------------------------+
 *       | CRC32C of the rest, or 0      | slot of the file's name       |
 *    8  +-------------------------------+-------------------------------+
 *       | hash of the file's name (CachedFile)                          |
 *   16  +---------------------------------------------------------------+
 *       | offset of the block in its HFile                              |
 *   24  +---------------------------------------------------------------+
 *       | location of its first extent (ExtentAllocator)                |
 *   32  +---------------------------------------------------------------+
 *       | when it was cached, ms since 1970                             |
 *   40  +-------------------------------+-------------------------------+
 *       | length, bytes                 | CRC32C of the block's bytes   |
 *   48  +-------------------------------+-------+-------+-------+-------+
 *       | size on disk of the next block| type  | flags | in-m. | 0     |
 *   56  +-------------------------------+-------+-------+-------+-------+
 *       | 0                                                             |
 *   64  +---------------------------------------------------------------+
 * </pre>
 *
 * <p>A record is valid while its CRC is correct and not zero. The CRC is written last and cleared
 * first. A record whose CRC is zero by chance is lost, which is one block in 4 billion.
 */
public final class RecordDescriptor {
  public static final int BYTES = 64;

  private static final int CRC = 0;
  private static final int SLOT = 4;
  private static final int NAME_HASH = 8;
  private static final int OFFSET = 16;
  private static final int LOCATION = 24;
  private static final int CACHED_AT = 32;
  private static final int LENGTH = 40;
  private static final int CONTENTS_CRC = 44;
  private static final int NEXT_ON_DISK_SIZE = 48;
  private static final int TYPE = 52;
  private static final int FLAGS = 53;
  private static final int IN_MEMORY = 54;

  private RecordDescriptor() {}

  /** Returns whether it was written and not cleared since; {@link #isSound} checks its content. */
  public static boolean isThere(ByteBuffer record) {
    return record.getInt(CRC) != 0;
  }

  public static boolean isSound(ByteBuffer record) {
    return isThere(record) && record.getInt(CRC) == crc(record);
  }

  private static int crc(ByteBuffer record) {
    CRC32C crc = new CRC32C();
    crc.update(record.slice(SLOT, BYTES - SLOT));
    return (int) crc.getValue();
  }

  /**
   * Makes the record valid. A process that sees the CRC also sees all fields and the block's bytes.
   */
  public static void seal(ByteBuffer record) {
    int crc = crc(record);
    VarHandle.releaseFence();
    record.putInt(CRC, crc);
  }

  /** Makes the record invalid before the caller's next writes. */
  public static void clear(ByteBuffer record) {
    record.putInt(CRC, 0);
    VarHandle.releaseFence();
  }

  public static void file(ByteBuffer record, int slot, long nameHash) {
    record.putInt(SLOT, slot).putLong(NAME_HASH, nameHash);
  }

  public static int slot(ByteBuffer record) {
    return record.getInt(SLOT);
  }

  public static long nameHash(ByteBuffer record) {
    return record.getLong(NAME_HASH);
  }

  public static void block(
      ByteBuffer record, long offset, int length, long location, int contentsCrc) {
    record.putLong(OFFSET, offset).putInt(LENGTH, length);
    record.putLong(LOCATION, location).putInt(CONTENTS_CRC, contentsCrc);
  }

  public static long offset(ByteBuffer record) {
    return record.getLong(OFFSET);
  }

  public static int length(ByteBuffer record) {
    return record.getInt(LENGTH);
  }

  public static long location(ByteBuffer record) {
    return record.getLong(LOCATION);
  }

  public static int contentsCrc(ByteBuffer record) {
    return record.getInt(CONTENTS_CRC);
  }

  public static void kind(
      ByteBuffer record, byte type, byte flags, boolean inMemory, int nextOnDiskSize) {
    record.put(TYPE, type).put(FLAGS, flags).put(IN_MEMORY, (byte) (inMemory ? 1 : 0));
    record.putInt(NEXT_ON_DISK_SIZE, nextOnDiskSize);
  }

  public static byte type(ByteBuffer record) {
    return record.get(TYPE);
  }

  public static byte flags(ByteBuffer record) {
    return record.get(FLAGS);
  }

  public static boolean inMemory(ByteBuffer record) {
    return record.get(IN_MEMORY) != 0;
  }

  public static int nextBlockOnDiskSize(ByteBuffer record) {
    return record.getInt(NEXT_ON_DISK_SIZE);
  }

  public static void cachedAt(ByteBuffer record, long millis) {
    record.putLong(CACHED_AT, millis);
  }

  public static long cachedAt(ByteBuffer record) {
    return record.getLong(CACHED_AT);
  }
}
