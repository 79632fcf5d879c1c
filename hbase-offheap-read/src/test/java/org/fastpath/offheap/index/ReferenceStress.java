package org.fastpath.offheap.index;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Reference counts of cached blocks under jcstress; {@link JcstressTest} runs it.
 *
 * <p>All tests share one table, because its slabs are megabytes. Each test has its own keys, and a
 * word of memory for each entry, which stands for a block's bytes.
 */
public final class ReferenceStress {
  private static final int BLOCKS = 1 << 20;
  private static final int RIGHT = 42;
  private static final int OTHER = 43;
  private static final int FREED = 13;

  private static final BlockEntries ENTRIES = new BlockEntries(BLOCKS, MemoryAllocator.DIRECT);
  private static final BlockTable TABLE =
      new BlockTable(ENTRIES, file -> 7, MemoryAllocator.DIRECT);
  private static final Memory MEMORY = Memory.allocate((long) BLOCKS * Integer.BYTES);
  private static final AtomicLong KEYS = new AtomicLong();

  /** Entries that a last reader handed over and nobody has freed yet. */
  private static final Set<Integer> RECLAIMED = new HashSet<>();

  private ReferenceStress() {}

  private static long word(int entry) {
    return (long) entry * Integer.BYTES;
  }

  private static long hash(long key) {
    return BlockTable.hash(7, key);
  }

  /** Brings in a block with these contents; under the lock. */
  private static int add(long key, int contents) {
    long ticket = addHeld(key, contents);
    TABLE.release(ticket);
    return Ticket.entry(ticket);
  }

  /**
   * Returns the same, with the reference of who brought it in, which is in another stripe than
   * readers.
   */
  private static long addHeld(long key, int contents) {
    synchronized (TABLE) {
      long ticket = TABLE.reserve(0, key, hash(key));
      int entry = Ticket.entry(ticket);
      MEMORY.putInt(word(entry), contents);
      TABLE.publish(entry);
      return ticket;
    }
  }

  /** The result of a reader: the contents, or 0 for a miss. */
  private static int read(long key) {
    long ticket = TABLE.acquire(0, key, hash(key));
    if (ticket == Ticket.NONE) {
      return 0;
    }
    int contents = MEMORY.getInt(word(Ticket.entry(ticket)));
    TABLE.release(ticket);
    return contents;
  }

  /** Takes a block out and frees its memory if nobody holds it: 1 if so. */
  private static int remove(int entry) {
    synchronized (TABLE) {
      if (!TABLE.remove(entry)) {
        return 0;
      }
      MEMORY.putInt(word(entry), FREED);
      return 1;
    }
  }

  /** 1 if the last reader handed the entry over. */
  private static int handedOver(int entry) {
    synchronized (TABLE) {
      for (int e = TABLE.takeReclaimed(); e != BlockTable.NONE; e = TABLE.nextReclaimed(e)) {
        if (!RECLAIMED.add(e)) {
          return 100;
        }
      }
      return RECLAIMED.remove(entry) ? 1 : 0;
    }
  }

  private static void free(int entry) {
    synchronized (TABLE) {
      TABLE.free(entry);
    }
  }

  /** A reader and an eviction: the memory is given back once, and not while it is read. */
  @JCStressTest
  @Outcome(
      id = {"42, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "found or missed, and freed once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read after free, freed twice, or never")
  @State
  public static class ReaderAndEviction {
    private final long key = KEYS.incrementAndGet();
    private final int entry = add(key, RIGHT);
    private int freed;

    /** A reader. */
    @Actor
    public void reads(II_Result result) {
      result.r1 = read(key);
    }

    /** The thread that evicts. */
    @Actor
    public void evicts() {
      freed = remove(entry);
    }

    /** By whichever way it was freed. */
    @Arbiter
    public void freed(II_Result result) {
      result.r2 = freed + handedOver(entry);
      free(entry);
    }
  }

  /** Two leave a block that was evicted, counted in two stripes: the last hands it over, once. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "handed over once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "handed over twice, or never")
  @State
  public static class LastReaders {
    private final long key = KEYS.incrementAndGet();
    private final long first = addHeld(key, RIGHT);
    private final int entry = Ticket.entry(first);
    private final long second = TABLE.acquire(0, key, hash(key));
    private final int freed = remove(entry);

    /** A reader. */
    @Actor
    public void one() {
      TABLE.release(first);
    }

    /** Another one. */
    @Actor
    public void two() {
      TABLE.release(second);
    }

    /** The thread that frees it. */
    @Arbiter
    public void freed(I_Result result) {
      result.r1 = freed + handedOver(entry);
      free(entry);
    }
  }

  /** The entry is given to another block while a reader looks for the first one. */
  @JCStressTest
  @Outcome(
      id = {"42, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "the block that was asked for, or a miss")
  @Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
  @State
  public static class EntryIsReused {
    private final long key = KEYS.incrementAndGet();
    private final long other = KEYS.incrementAndGet();
    private final int entry = add(key, RIGHT);
    private int second = BlockTable.NONE;
    private int freed;

    /** A reader. */
    @Actor
    public void reads(II_Result result) {
      result.r1 = read(key);
    }

    /** Evicts and caches another block, most likely in the same entry. */
    @Actor
    public void replaces() {
      synchronized (TABLE) {
        freed = remove(entry);
        if (freed == 1) {
          free(entry);
          second = add(other, OTHER);
        }
      }
    }

    /** Leaves nothing behind. */
    @Arbiter
    public void freed(II_Result result) {
      result.r2 = freed + handedOver(entry);
      if (second == BlockTable.NONE) {
        free(entry);
      } else {
        remove(second);
        free(second);
      }
    }
  }

  /** A block is published while somebody reads it: all of it or nothing. */
  @JCStressTest
  @Outcome(
      id = {"42", "0"},
      expect = Expect.ACCEPTABLE,
      desc = "filled, or not there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read before it was filled")
  @State
  public static class Publication {
    private final long key = KEYS.incrementAndGet();
    private int entry;

    /** A reader. */
    @Actor
    public void reads(I_Result result) {
      result.r1 = read(key);
    }

    /** The thread that caches it. */
    @Actor
    public void caches() {
      entry = add(key, RIGHT);
    }

    /** Leaves nothing behind. */
    @Arbiter
    public void end(I_Result result) {
      if (remove(entry) == 1 || handedOver(entry) == 1) {
        free(entry);
      } else {
        result.r1 = 100;
      }
    }
  }

  /** A count in the wrong order, announced after it was validated: the run must find it. */
  @JCStressTest
  @Outcome(
      id = {"42", "0"},
      expect = Expect.ACCEPTABLE,
      desc = "found or missed")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read after free")
  @State
  public static class Broken {
    private volatile boolean live = true;
    private volatile int held;
    private volatile int contents = RIGHT;

    /** A reader that looks first and counts itself then. */
    @Actor
    public void reads(I_Result result) {
      if (live) {
        held = 1;
        result.r1 = contents;
        held = 0;
      }
    }

    /** The thread that evicts. */
    @Actor
    public void evicts() {
      live = false;
      if (held == 0) {
        contents = FREED;
      }
    }
  }
}
