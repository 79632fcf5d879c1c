package org.fastpath.offheap.index;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
 * A block is published without the lock while its entry is copied to a larger index, or its region
 * is emptied; {@link JcstressTest} runs it. All tests share one table that is always being
 * migrated.
 */
public final class MigrationStress {
  private static final int BLOCKS = 1 << 20;

  private static final BlockEntries ENTRIES = new BlockEntries(BLOCKS, MemoryAllocator.DIRECT);
  private static final BlockTable TABLE = migrating();
  private static final AtomicLong KEYS = new AtomicLong();

  private MigrationStress() {}

  private static BlockTable migrating() {
    BlockTable table = new BlockTable(ENTRIES, file -> 7, MemoryAllocator.DIRECT);
    table.beginMigration(table.prepare(2 * BLOCKS));
    return table;
  }

  private static long hash(long key) {
    return BlockTable.hash(7, key);
  }

  /** Returns a block that is being filled, and is only in the smaller index. */
  private static long reserve(long key) {
    synchronized (TABLE) {
      long ticket = TABLE.reserve(0, key, hash(key));
      TABLE.forgetCopy(Ticket.entry(ticket));
      return ticket;
    }
  }

  private static void publish(long ticket) {
    TABLE.publish(Ticket.entry(ticket));
    TABLE.release(ticket);
  }

  /** Takes a block out, if it is there, and frees its entry, whichever way it comes. */
  private static void clean(int entry) {
    synchronized (TABLE) {
      if (TABLE.isCached(entry) && TABLE.remove(entry)) {
        TABLE.free(entry);
      }
      for (int next, e = TABLE.takeReclaimed(); e != BlockTable.NONE; e = next) {
        next = TABLE.nextReclaimed(e);
        TABLE.free(e);
      }
    }
  }

  /** The index grows while a block is published: it is in the larger one, too. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "copied")
  @Outcome(expect = Expect.FORBIDDEN, desc = "live, and not to be found when the index has grown")
  @State
  public static class PublishAndGrow {
    private final long key = KEYS.incrementAndGet();
    private final long ticket = reserve(key);

    /** The thread that caches it. */
    @Actor
    public void publishes() {
      publish(ticket);
    }

    /** The thread that grows the index. */
    @Actor
    public void grows() {
      synchronized (TABLE) {
        int entry = Ticket.entry(ticket);
        TABLE.migrate(entry, entry + 1);
      }
    }

    /** Looks into the larger index. */
    @Arbiter
    public void copied(I_Result result) {
      int entry = Ticket.entry(ticket);
      result.r1 = TABLE.isCopied(entry) ? 1 : 0;
      clean(entry);
    }
  }

  /** A region is emptied while a block in it is published: the block leaves. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "taken out")
  @Outcome(expect = Expect.FORBIDDEN, desc = "stays in a region that is to be given back")
  @State
  public static class PublishAndRetire {
    private final long key = KEYS.incrementAndGet();
    private final long ticket = reserve(key);

    /** The thread that caches it. */
    @Actor
    public void publishes() {
      publish(ticket);
    }

    /** The thread that empties the region. */
    @Actor
    public void retires() {
      synchronized (TABLE) {
        int entry = Ticket.entry(ticket);
        if (TABLE.isCached(entry) && TABLE.remove(entry)) {
          TABLE.free(entry);
        }
      }
    }

    /** Looks whether it is still there. */
    @Arbiter
    public void left(I_Result result) {
      int entry = Ticket.entry(ticket);
      result.r1 = TABLE.find(0, key, hash(key)) == BlockTable.NONE ? 1 : 0;
      clean(entry);
    }
  }

  /** A block is removed while it is filled: its entry comes back once, and no reader sees it. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "comes back once, and is not live")
  @Outcome(expect = Expect.FORBIDDEN, desc = "live, or comes back twice or never")
  @State
  public static class RemoveWhileFilling {
    /**
     * The number of times that an entry came back; the tests of a batch share one table. Guarded by
     * it.
     */
    private static final Map<Integer, Integer> RECLAIMED = new HashMap<>();

    private final long key = KEYS.incrementAndGet();
    private final long ticket = reserve(key);
    private int freed;

    /** The thread that fills it. */
    @Actor
    public void fills() {
      publish(ticket);
    }

    /** The thread that removes it. */
    @Actor
    public void removes() {
      synchronized (TABLE) {
        freed = TABLE.remove(Ticket.entry(ticket)) ? 1 : 0;
      }
    }

    /** Counts the ways by which it came back. */
    @Arbiter
    public void back(II_Result result) {
      int entry = Ticket.entry(ticket);
      synchronized (TABLE) {
        result.r1 = TABLE.isLive(entry) ? 1 : 0;
        for (int e = TABLE.takeReclaimed(); e != BlockTable.NONE; e = TABLE.nextReclaimed(e)) {
          RECLAIMED.merge(e, 1, Integer::sum);
        }
        result.r2 = freed + RECLAIMED.getOrDefault(entry, 0);
        RECLAIMED.remove(entry);
        if (result.r2 > 0) {
          TABLE.free(entry);
        }
      }
    }
  }

  /** The question by two reads, as it must not be asked: the run must find it. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "seen")
  @Outcome(expect = Expect.FORBIDDEN, desc = "published between the two reads, and overlooked")
  @State
  public static class BrokenQuestion {
    private final long key = KEYS.incrementAndGet();
    private final long ticket = reserve(key);

    /** The thread that caches it. */
    @Actor
    public void publishes() {
      publish(ticket);
    }

    /** Asks whether the block is live, and then whether it is being filled. */
    @Actor
    public void asks(I_Result result) {
      int entry = Ticket.entry(ticket);
      result.r1 = TABLE.isLive(entry) || TABLE.isFilling(entry) ? 1 : 0;
    }

    /** Leaves nothing behind. */
    @Arbiter
    public void end(I_Result result) {
      clean(Ticket.entry(ticket));
    }
  }
}
