package org.fastpath.offheap.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.junit.jupiter.api.Test;

/** The index and the life of an entry, one thread at a time; {@link ReferenceStress} has two. */
class BlockTableTest {
  private static final int FILES = 5;

  /** As many as fill the index to the load that is allowed. */
  private static final int MAX = 4096;

  private final BlockEntries entries = new BlockEntries(MAX, MemoryAllocator.DIRECT);
  private final BlockTable table =
      new BlockTable(entries, file -> file * 31L, MemoryAllocator.DIRECT);

  private static long hash(int file, long offset) {
    return BlockTable.hash(file * 31L, offset);
  }

  private long add(int file, long offset) {
    long ticket = table.reserve(file, offset, hash(file, offset));
    if (ticket != Ticket.NONE) {
      table.publish(Ticket.entry(ticket));
      table.release(ticket);
    }
    return ticket;
  }

  private long acquire(int file, long offset) {
    return table.acquire(file, offset, hash(file, offset));
  }

  private boolean isThere(int file, long offset) {
    long ticket = acquire(file, offset);
    if (ticket != Ticket.NONE) {
      table.release(ticket);
    }
    return ticket != Ticket.NONE;
  }

  @Test
  void agreesWithAMapWhenFull() {
    long seed = System.nanoTime();
    System.out.println("seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Map<List<Long>, Integer> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      int file = random.nextInt(FILES);
      long offset = random.nextInt(2000) * 65_536L;
      Integer entry = model.get(List.of((long) file, offset));
      assertThat(isThere(file, offset)).isEqualTo(entry != null);
      assertThat(table.find(file, offset, hash(file, offset)))
          .isEqualTo(entry == null ? BlockTable.NONE : entry);
      if (entry != null && random.nextInt(3) == 0) {
        assertThat(table.remove(entry)).isTrue();
        table.free(entry);
        model.remove(List.of((long) file, offset));
      } else if (entry == null) {
        long ticket = add(file, offset);
        assertThat(ticket == Ticket.NONE).isEqualTo(model.size() == entries.capacity());
        if (ticket != Ticket.NONE) {
          model.put(List.of((long) file, offset), Ticket.entry(ticket));
        }
      }
      assertThat(entries.inUse()).isEqualTo(model.size());
    }
    assertThat(model.size()).isGreaterThan(4000);
  }

  @Test
  void takesAsManyBlocksAsThereAreEntries() {
    for (int i = 0; i < entries.capacity(); i++) {
      assertThat(add(0, i)).isNotEqualTo(Ticket.NONE);
    }
    assertThat(add(0, entries.capacity())).isEqualTo(Ticket.NONE);
  }

  @Test
  void growsAndFindsWhatWasThere() {
    for (int i = 0; i < MAX; i++) {
      add(1, i);
    }
    BlockTable.Larger larger = table.prepare(200_000);
    table.beginMigration(larger);
    table.migrate(0, entries.highest());
    table.endMigration();
    entries.grow(200_000);
    table.validate();
    for (int i = 0; i < MAX; i++) {
      assertThat(isThere(1, i)).isTrue();
    }
    for (int i = MAX; i < 200_000; i++) {
      assertThat(add(1, i)).isNotEqualTo(Ticket.NONE);
    }
    assertThat(isThere(1, 199_999)).isTrue();
  }

  @Test
  void whatIsBeingFilledIsNotSeen() {
    long ticket = table.reserve(0, 7, hash(0, 7));
    int entry = Ticket.entry(ticket);
    assertThat(acquire(0, 7)).isEqualTo(Ticket.NONE);
    assertThat(table.find(0, 7, hash(0, 7))).isEqualTo(entry);
    assertThat(table.isFilling(entry)).isTrue();
    assertThat(table.publish(entry)).isTrue();
    assertThat(isThere(0, 7)).isTrue();
    table.release(ticket);
    assertThat(table.isHeld(entry)).isFalse();
  }

  @Test
  void removedWhileItIsFilledItIsNeverSeen() {
    long ticket = table.reserve(0, 7, hash(0, 7));
    int entry = Ticket.entry(ticket);
    assertThat(table.remove(entry)).isFalse();
    assertThat(table.publish(entry)).isFalse();
    assertThat(acquire(0, 7)).isEqualTo(Ticket.NONE);
    assertThat(table.takeReclaimed()).isEqualTo(BlockTable.NONE);
    table.release(ticket);
    assertThat(table.takeReclaimed()).isEqualTo(entry);
  }

  @Test
  void removedWhileItIsReadItComesBackAtTheLastRelease() {
    List<Long> readers = new ArrayList<>();
    List<Integer> removed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      removed.add(Ticket.entry(add(0, i)));
      readers.add(acquire(0, i));
      readers.add(acquire(0, i));
      assertThat(table.remove(removed.get(i))).isFalse();
    }
    for (int i = 0; i < 20; i += 2) {
      table.release(readers.get(i));
    }
    assertThat(table.takeReclaimed()).isEqualTo(BlockTable.NONE);
    for (int i = 1; i < 20; i += 2) {
      table.release(readers.get(i));
    }
    List<Integer> reclaimed = new ArrayList<>();
    for (int e = table.takeReclaimed(); e != BlockTable.NONE; e = table.nextReclaimed(e)) {
      reclaimed.add(e);
    }
    assertThat(reclaimed).containsExactlyInAnyOrderElementsOf(removed);
    assertThat(table.takeReclaimed()).isEqualTo(BlockTable.NONE);
  }

  @Test
  void entryIsFoundUnderItsNewKeyOnly() {
    int entry = Ticket.entry(add(0, 1));
    assertThat(table.remove(entry)).isTrue();
    table.free(entry);
    assertThat(Ticket.entry(add(3, 2))).isEqualTo(entry);
    assertThat(isThere(0, 1)).isFalse();
    assertThat(isThere(3, 2)).isTrue();
  }
}
