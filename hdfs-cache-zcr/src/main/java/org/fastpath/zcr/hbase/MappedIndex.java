package org.fastpath.zcr.hbase;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.zcr.Companion;
import org.fastpath.zcr.MappedPlace;

/**
 * Stores the results of the first read of each data block in a mapping. A record means that the
 * checksums were verified; it holds fields of the header and the index. The first reader of a block
 * adds the record. Records are off the heap and are freed with the mapping, so a reader that has
 * pinned the mapping may read them.
 *
 * <p>Each record begins at a multiple of eight bytes, in the machine's byte order:
 *
 * <pre>
 *    0  size on disk, with header 4     | size of the next block 4, or -1
 *    8  offset of the block before 8
 *   16  size of data, with header 4     | bytes per checksum 4
 *   24  type of checksum 4              | bytes of index 4
 *   32  index
 * </pre>
 *
 * <p>{@link IndexBudget} limits the bytes of all records of the process. Above the limit, a block
 * has no record and is walked. A hash table on the heap maps a block's offset in the mapping to its
 * record. It uses open addressing, is at most half full, and takes 24 to 48 bytes per block. A
 * look-up takes no lock. Thread-safe.
 */
final class MappedIndex implements Companion {
  static final long NONE = -1;
  static final int RECORD = 32;

  private static final int SIZE = 0;
  private static final int NEXT_SIZE = 4;
  private static final int PREVIOUS = 8;
  private static final int DATA_SIZE = 16;
  private static final int BYTES_PER_CHECKSUM = 20;
  private static final int CHECKSUM_TYPE = 24;
  private static final int INDEX_BYTES = 28;

  private static final VarHandle KEYS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int MIN_SLOTS = 16;
  private static final int MIN_CHUNK = 4 << 10;
  private static final int MAX_CHUNK = 1 << 20;

  /** Records take about the mapped bytes divided by this number; it determines the chunk's size. */
  private static final int SHARE = 32;

  /** Keys are offsets plus one, because an empty slot is 0. Places are the addresses of records. */
  private record Table(int[] keys, long[] places) {
    static Table ofSlots(int slots) {
      return new Table(new int[slots], new long[slots]);
    }

    /** Returns the slot of a key, or the slot where it would be inserted. */
    int slotOf(int key) {
      int mask = keys.length - 1;
      int mixed = key * 0x9E3779B9;
      int slot = (mixed ^ mixed >>> 16) & mask;
      for (int found = at(slot); found != 0 && found != key; found = at(slot)) {
        slot = slot + 1 & mask;
      }
      return slot;
    }

    int at(int slot) {
      return (int) KEYS.getAcquire(keys, slot);
    }

    void put(int key, long place) {
      int slot = slotOf(key);
      places[slot] = place;
      KEYS.setRelease(keys, slot, key);
    }
  }

  private final int chunkBytes;
  private volatile Table table = Table.ofSlots(MIN_SLOTS);
  private volatile Memory[] chunks = {};
  private int count;

  /** The used bytes of the last chunk. */
  private int used;

  private boolean ended;

  private MappedIndex(int mappedBytes) {
    int whole = Integer.highestOneBit(Math.max(1, mappedBytes / SHARE)) << 1;
    chunkBytes = Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, whole));
  }

  /** Returns the index of the mapping that contains a place. */
  static MappedIndex of(MappedPlace place) {
    return (MappedIndex) place.companion(MappedIndex::new);
  }

  private static Memory allocate(int bytes) {
    if (!IndexBudget.reserve(bytes)) {
      return null;
    }
    try {
      return Memory.allocate(bytes);
    } catch (OutOfMemoryError e) {
      IndexBudget.refused(bytes);
      return null;
    }
  }

  // Blocks.

  /** Returns the record of the block at an offset in the mapping, or {@link #NONE}. */
  long find(int offset) {
    Table known = table;
    int slot = known.slotOf(offset + 1);
    return known.at(slot) == 0 ? NONE : known.places()[slot];
  }

  /**
   * Adds a verified block.
   *
   * @param size bytes on disk, with header and checksums
   * @param nextSize bytes of the next block, or -1
   * @param index index of the block; empty if it has none
   * @return its record; {@link #NONE} if there is no room
   */
  synchronized long add(int offset, int size, int nextSize, BlockHeader header, ByteBuffer index) {
    long known = find(offset);
    if (known != NONE || ended) {
      return known;
    }
    int indexBytes = index.remaining();
    long place = room(RECORD + indexBytes);
    if (place != NONE) {
      Memory chunk = chunk(place);
      int at = (int) place;
      chunk.putInt(at + SIZE, size);
      chunk.putInt(at + NEXT_SIZE, nextSize);
      chunk.putLong(at + PREVIOUS, header.previousOffset());
      chunk.putInt(at + DATA_SIZE, header.dataSizeWithHeader());
      chunk.putInt(at + BYTES_PER_CHECKSUM, header.bytesPerChecksum());
      chunk.putInt(at + CHECKSUM_TYPE, header.checksumType().getCode());
      chunk.putInt(at + INDEX_BYTES, indexBytes);
      chunk.buffer(at + RECORD, indexBytes).put(index);
      put(offset + 1, place);
    }
    return place;
  }

  private void put(int key, long place) {
    if (2 * (count + 1) > table.keys().length) {
      Table larger = Table.ofSlots(2 * table.keys().length);
      for (int i = 0; i < table.keys().length; i++) {
        if (table.keys()[i] != 0) {
          larger.put(table.keys()[i], table.places()[i]);
        }
      }
      table = larger;
    }
    table.put(key, place);
    count++;
  }

  private long room(int bytes) {
    int rounded = bytes + Long.BYTES - 1 & -Long.BYTES;
    int last = chunks.length - 1;
    if (last < 0 || rounded > chunks[last].bytes() - used) {
      Memory more = allocate(Math.max(chunkBytes, rounded));
      if (more == null) {
        return NONE;
      }
      Memory[] all = Arrays.copyOf(chunks, chunks.length + 1);
      all[++last] = more;
      chunks = all;
      used = 0;
    }
    long place = (long) last << Integer.SIZE | used;
    used += rounded;
    return place;
  }

  private Memory chunk(long record) {
    return chunks[(int) (record >>> Integer.SIZE)];
  }

  int size(long record) {
    return chunk(record).getInt((int) record + SIZE);
  }

  int nextSize(long record) {
    return chunk(record).getInt((int) record + NEXT_SIZE);
  }

  long previousOffset(long record) {
    return chunk(record).getLong((int) record + PREVIOUS);
  }

  int dataSizeWithHeader(long record) {
    return chunk(record).getInt((int) record + DATA_SIZE);
  }

  int bytesPerChecksum(long record) {
    return chunk(record).getInt((int) record + BYTES_PER_CHECKSUM);
  }

  byte checksumType(long record) {
    return (byte) chunk(record).getInt((int) record + CHECKSUM_TYPE);
  }

  boolean hasIndex(long record) {
    return chunk(record).getInt((int) record + INDEX_BYTES) > 0;
  }

  /** Returns a block's index, which is valid as long as the mapping; null if it has none. */
  Memory index(long record) {
    Memory chunk = chunk(record);
    int bytes = chunk.getInt((int) record + INDEX_BYTES);
    return bytes == 0 ? null : chunk.view((int) record + RECORD, bytes);
  }

  @Override
  public synchronized void unmapped() {
    ended = true;
    for (Memory chunk : chunks) {
      long bytes = chunk.bytes();
      chunk.free();
      IndexBudget.giveBack(bytes);
    }
    chunks = new Memory[0];
    table = Table.ofSlots(MIN_SLOTS);
  }
}
