package org.fastpath.offheap.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;

/**
 * The table with 2^31 - 1 blocks, without the memory: all slabs of one length are the same memory.
 * So two records whose numbers differ by a multiple of a slab share their bytes, and the test looks
 * at one of them only.
 */
class LargeTableTest {
  private static final int MAX = BlockTable.MAX_ENTRIES;
  private static final int LAST = MAX - 1;

  private final Map<Long, Memory> slabs = new HashMap<>();
  private final MemoryAllocator shared =
      bytes -> slabs.computeIfAbsent(bytes, MemoryAllocator.DIRECT::allocate);
  private final BlockEntries entries = new BlockEntries(MAX, shared);
  private final BlockTable table = new BlockTable(entries, file -> file * 31L, shared);

  private static long hash(int file, long offset) {
    return BlockTable.hash(file * 31L, offset);
  }

  @Test
  void theLastBlockOfAllIsFound() {
    table.occupy(LAST);
    assertThat(entries.inUse()).isEqualTo(LAST);
    assertThat(table.lacksSlab()).isFalse();
    int file = Integer.MIN_VALUE;
    long offset = Long.MAX_VALUE - 64;
    long ticket = table.reserve(file, offset, hash(file, offset));
    assertThat(Ticket.entry(ticket)).isEqualTo(LAST);
    assertThat(table.reserve(7, 7, hash(7, 7))).isEqualTo(Ticket.NONE);
    entries.location(LAST, (1L << 46) - 32);
    entries.length(LAST, 1 << 30);
    assertThat(table.publish(LAST)).isTrue();
    table.release(ticket);

    long found = table.acquire(file, offset, hash(file, offset));
    assertThat(Ticket.entry(found)).isEqualTo(LAST);
    assertThat(entries.location(LAST)).isEqualTo((1L << 46) - 32);
    assertThat(table.holders(LAST)).isOne();
    assertThat(table.heldBytes(LAST - 1000, MAX)).isEqualTo(1 << 30);
    assertThat(table.remove(LAST)).isFalse();
    table.release(found);
    assertThat(table.takeReclaimed()).isEqualTo(LAST);
    table.free(LAST);
    assertThat(table.acquire(file, offset, hash(file, offset))).isEqualTo(Ticket.NONE);
    assertThat(Ticket.entry(table.reserve(7, 7, hash(7, 7)))).isEqualTo(LAST);
  }

  @Test
  void theIndexHasHalfOfItsSlotsForThem() {
    assertThat(table.bytes()).isEqualTo(1L << 35);
    assertThat(table.prepare(MAX)).isNull();
  }

  /** A record's place is computed from its number without an overflow, up to the last one. */
  @Test
  void recordsUpToTheLastHaveTheirPlaces() {
    for (int entry : new int[] {0, BlockEntries.SLAB - 1, BlockEntries.SLAB, 1 << 30, LAST}) {
      assertThat(BlockEntries.at(entry))
          .isEqualTo((long) entry % BlockEntries.SLAB * BlockEntries.BYTES)
          .isBetween(0L, BlockEntries.SLAB_BYTES - BlockEntries.BYTES);
      assertThat(Ticket.entry(Ticket.of(entry, 15))).isEqualTo(entry);
      assertThat(Ticket.stripe(Ticket.of(entry, 15))).isEqualTo(15);
    }
  }
}
