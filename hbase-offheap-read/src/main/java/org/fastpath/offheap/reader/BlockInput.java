package org.fastpath.offheap.reader;

import org.apache.hadoop.io.WritableUtils;
import org.fastpath.offheap.memory.Memory;

/**
 * Reads a block's contents from a position on. It checks that each byte is inside the contents
 * before it reads the byte. Not thread-safe; one input serves many blocks.
 */
final class BlockInput {
  private static final int GROUP_BITS = 7;
  private static final int GROUP = (1 << GROUP_BITS) - 1;

  /** The largest number of groups of seven bits in a length. */
  private static final int MAX_GROUPS = 5;

  private final CorruptionReporter corruption;

  private Memory memory;
  private long address;
  private int limit;

  int position;

  BlockInput(CorruptionReporter corruption) {
    this.corruption = corruption;
  }

  /** Starts at an address of a memory, with {@code limit} bytes. */
  void open(Memory memory, long address, int limit) {
    this.memory = memory;
    this.address = address;
    this.limit = limit;
    position = 0;
  }

  /** Drops the memory. */
  void close() {
    memory = null;
    limit = 0;
  }

  int left() {
    return limit - position;
  }

  byte get() {
    if (position >= limit) {
      throw corruption.of("rest of a block", left(), position);
    }
    return memory.getByte(address + position++);
  }

  /** Reads a length in groups of seven bits, the lowest first. It is never negative. */
  int length(String what) {
    int group = get();
    return group >= 0 ? group : longLength(what, group);
  }

  private int longLength(String what, int first) {
    int start = position - 1;
    long length = first & GROUP;
    for (int i = 1; i < MAX_GROUPS; i++) {
      int group = get();
      length |= (long) (group & GROUP) << GROUP_BITS * i;
      if (group >= 0) {
        return checked(what, length, start);
      }
    }
    throw corruption.of(what, length, start);
  }

  private int checked(String what, long length, int start) {
    if (length > Integer.MAX_VALUE) {
      throw corruption.of(what, length, start);
    }
    return (int) length;
  }

  /** Reads a number of one to eight bytes, the highest first. */
  long number(int bytes) {
    int start = skip("bytes of a number", bytes);
    return limit - start >= Long.BYTES
        ? memory.bigEndianLong(address + start) >>> Long.SIZE - Byte.SIZE * bytes
        : memory.bigEndianNumber(address + start, bytes);
  }

  /** Reads a number in the format of {@link WritableUtils#writeVLong}. */
  long vlong() {
    byte first = get();
    int bytes = WritableUtils.decodeVIntSize(first) - 1;
    if (bytes == 0) {
      return first;
    }
    int start = skip("bytes of a number", bytes);
    long value = memory.bigEndianNumber(address + start, bytes);
    return WritableUtils.isNegativeVInt(first) ? ~value : value;
  }

  /**
   * Skips bytes.
   *
   * @return the position of the first skipped byte
   */
  int skip(String what, int bytes) {
    int start = position;
    require(what, start, bytes);
    position = start + bytes;
    return start;
  }

  void copy(String what, byte[] to, int offset, int bytes) {
    int start = skip(what, bytes);
    memory.copyTo(address + start, to, offset, bytes);
  }

  /** Fails unless the given number of bytes follows a position. */
  void require(String what, int place, int bytes) {
    if (bytes < 0 || place < 0 || bytes > limit - place) {
      throw corruption.of(what, bytes, place);
    }
  }

  /** Returns an exception that reports the value that was read last. */
  IllegalStateException corrupt(String what, long value) {
    return corruption.of(what, value, position);
  }
}
