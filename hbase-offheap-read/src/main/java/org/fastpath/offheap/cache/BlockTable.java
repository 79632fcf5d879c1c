package org.fastpath.offheap.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds cached blocks by key and knows who reads them, without a lock for readers.
 *
 * <p><b>The index</b> is an array of buckets of one cache line: eight slots of a tag (32 bits of
 * the key's hash) and an entry's number. A key may be in one of two buckets and goes to the emptier
 * one [1], so that at the load we allow (four of eight slots) a pair of full buckets does not
 * happen; an entry never moves while it is cached. A slot is one atomic word: a block is published
 * by writing it, and taken away by zeroing it, so there are no tombstones, and a reader that scans
 * sixteen slots sees every block that was there all the time.
 *
 * <p><b>Reference counts</b> say whether somebody reads a block. One counter a block would be
 * written by every reader of a hot block: a cache line that wanders between cores costs more than
 * the whole look-up. So the count is spread over stripes, as in a sharded counter [2], one of which
 * a thread takes by its number; the counters of a stripe lie together, hence those of one block are
 * in different cache lines, and 4 bytes times the stripes is all that a block pays. The count is
 * their sum, and all that ever matters of it is whether it is zero.
 *
 * <p><b>The protocol</b> is a variant of hazard pointers [3]: announce first, then validate.
 *
 * <pre>
 *   reader                               whoever evicts (under the cache's lock)
 *     increment own counter                zero the slot
 *     is the entry LIVE, is it the key?    LIVE to DEAD
 *       yes: read, as long as one likes    are all counters zero?
 *       no:  decrement, it is a miss         yes: DEAD to RECLAIMED, by compare-and-set: free it
 *     ...                                    no:  a reader is there, it will free it
 *     decrement own counter
 *     is the entry DEAD, are all zero?
 *       yes: DEAD to RECLAIMED: hand it over
 * </pre>
 *
 * All these operations are sequentially consistent. A reader that saw LIVE had incremented before
 * the entry became DEAD, so the one who looks at the counters afterwards finds it, each counter on
 * its own: it was acquired and is released in the same stripe. Counters may be seen above zero
 * because of readers that only look and go away; these look for DEAD too when they decrement, so
 * the last one to leave hands the block over. The state carries a generation, so that a slow
 * decrementer cannot reclaim the next block in the same entry.
 *
 * <p>A reader never takes the cache's lock, not even for the last release: reclaimed entries are
 * pushed on a list that the next writer takes over as a whole (no ABA).
 *
 * <p>Filling a block is reading it, as far as this class is concerned: who fills holds a reference
 * from {@link #reserve} on.
 *
 * <ol>
 *   <li>Azar, Broder, Karlin, Upfal: Balanced Allocations. SIAM Journal on Computing 29(1), 1999
 *   <li>Ellen, Lev, Luchangco, Moir: SNZI: Scalable NonZero Indicators. PODC 2007
 *   <li>Michael: Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects. IEEE TPDS 15(6),
 *       2004
 * </ol>
 */
final class BlockTable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockTable.class);

  /** No block. */
  static final int NONE = Entries.NONE;

  /** The most blocks: a ticket keeps four bits for the stripe. */
  static final int MOST_ENTRIES = (1 << Ticket.ENTRY_BITS) - 1;

  private static final int MOST_STRIPES = 1 << (Integer.SIZE - Ticket.ENTRY_BITS);

  /** A reference that a reader holds, packed: which block, counted in which stripe. */
  static final class Ticket {
    private static final int ENTRY_BITS = 28;
    private static final int ENTRY_MASK = (1 << ENTRY_BITS) - 1;

    private Ticket() {}

    private static int of(int entry, int stripe) {
      return stripe << ENTRY_BITS | entry;
    }

    static int entry(int ticket) {
      return ticket & ENTRY_MASK;
    }

    private static int stripe(int ticket) {
      return ticket >>> ENTRY_BITS;
    }
  }

  /** The state of an entry: its generation, and what it is in its life. */
  private static final class State {
    static final int FREE = 0;
    static final int FILLING = 1;
    static final int LIVE = 2;
    static final int DEAD = 3;
    static final int RECLAIMED = 4;

    private static final int LIFE_BITS = 3;
    private static final int LIFE_MASK = (1 << LIFE_BITS) - 1;

    private State() {}

    static int life(long state) {
      return (int) state & LIFE_MASK;
    }

    static long with(long state, int life) {
      return state & ~LIFE_MASK | life;
    }

    static long nextGeneration(long state) {
      return (state >>> LIFE_BITS) + 1 << LIFE_BITS | FREE;
    }
  }

  /** Buckets of eight slots of {@code tag << 32 | entry + 1}; zero is an empty slot. */
  private static final class Index {
    private static final int SLOTS = 8;
    private static final int BUCKET_BYTES = SLOTS * Long.BYTES;
    private static final int MOST_LOAD = 4;
    private static final int SLAB_SHIFT = 20;

    private final ByteBuffer[] slabs;
    private final long[] addresses;
    private final int mask;

    Index(int entries) {
      int buckets = Integer.highestOneBit(Math.max(1, (entries - 1) / MOST_LOAD)) << 1;
      mask = buckets - 1;
      int inSlab = Math.min(buckets, 1 << SLAB_SHIFT);
      slabs = new ByteBuffer[buckets / inSlab];
      addresses = new long[slabs.length];
      for (int i = 0; i < slabs.length; i++) {
        slabs[i] = OffHeap.allocate(inSlab * BUCKET_BYTES);
        addresses[i] = OffHeap.address(slabs[i]);
      }
    }

    long bytes() {
      return (mask + 1L) * BUCKET_BYTES;
    }

    long first(long hash) {
      return address((int) hash & mask);
    }

    long second(long hash) {
      return address((int) (hash * 0x9E3779B97F4A7C15L >>> 32) & mask);
    }

    private long address(int bucket) {
      return addresses[bucket >>> SLAB_SHIFT]
          + (long) (bucket & (1 << SLAB_SHIFT) - 1) * BUCKET_BYTES;
    }

    private static long slot(long hash, int entry) {
      return tag(hash) | (entry + 1);
    }

    static long tag(long hash) {
      return hash & 0xFFFFFFFF00000000L;
    }

    static int entry(long slot) {
      return (int) slot - 1;
    }

    boolean insert(long hash, int entry) {
      long bucket = emptier(first(hash), second(hash));
      long place = find(bucket, 0);
      if (place == 0) {
        return false;
      }
      OffHeap.putLongVolatile(place, slot(hash, entry));
      return true;
    }

    void remove(long hash, int entry) {
      long slot = slot(hash, entry);
      long place = find(first(hash), slot);
      if (place == 0) {
        place = find(second(hash), slot);
      }
      if (place != 0) {
        OffHeap.putLongVolatile(place, 0);
      }
    }

    private static long emptier(long a, long b) {
      return used(b) < used(a) ? b : a;
    }

    private static int used(long bucket) {
      int used = 0;
      for (int i = 0; i < BUCKET_BYTES; i += Long.BYTES) {
        used += OffHeap.getLong(bucket + i) == 0 ? 0 : 1;
      }
      return used;
    }

    private static long find(long bucket, long slot) {
      for (int i = 0; i < BUCKET_BYTES; i += Long.BYTES) {
        if (OffHeap.getLong(bucket + i) == slot) {
          return bucket + i;
        }
      }
      return 0;
    }
  }

  /** Entries in a slab of counters, as in a slab of {@link Entries}. */
  private static final int SLAB_SHIFT = 16;

  private static final int SLAB = 1 << SLAB_SHIFT;

  private final Entries entries;
  private final IntToLongFunction fileHash;
  private final int stripes;
  private final AtomicInteger reclaimed = new AtomicInteger(NONE);

  private volatile Index index;
  private volatile long[] counters = {};
  private ByteBuffer[] counterSlabs = {};

  /**
   * @param entries the blocks
   * @param fileHash well-mixed bits of a file's name, by its number
   */
  BlockTable(Entries entries, IntToLongFunction fileHash) {
    this.entries = entries;
    this.fileHash = fileHash;
    this.index = new Index(entries.capacity());
    this.stripes = stripes(Runtime.getRuntime().availableProcessors());
  }

  /** Twice the processors, so that two threads rarely meet; a power of two. */
  private static int stripes(int processors) {
    return Math.min(MOST_STRIPES, Integer.highestOneBit(2 * processors - 1) << 1);
  }

  /** 64 well-mixed bits of a key; the same whenever a block of that name comes. */
  static long hash(long fileHash, long offset) {
    long h = fileHash + offset * 0x9E3779B97F4A7C15L;
    h = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
    h = (h ^ h >>> 32) * 0xD6E8FEB86659FD93L;
    return h ^ h >>> 32;
  }

  private long hash(int entry) {
    return hash(fileHash.applyAsLong(entries.file(entry)), entries.offset(entry));
  }

  // Readers, without a lock.

  /**
   * Finds a block that may be read, and holds it.
   *
   * @return a ticket for {@link #release}, or {@link #NONE}
   */
  int acquire(int file, long offset, long hash) {
    Index current = index;
    int ticket = acquire(current.first(hash), file, offset, hash);
    return ticket != NONE ? ticket : acquire(current.second(hash), file, offset, hash);
  }

  private int acquire(long bucket, int file, long offset, long hash) {
    for (int i = 0; i < Index.BUCKET_BYTES; i += Long.BYTES) {
      long slot = OffHeap.getLongVolatile(bucket + i);
      if (slot != 0 && Index.tag(slot ^ hash) == 0) {
        int ticket = acquire(Index.entry(slot), file, offset);
        if (ticket != NONE) {
          return ticket;
        }
      }
    }
    return NONE;
  }

  private int acquire(int entry, int file, long offset) {
    int stripe = (int) Thread.currentThread().getId() & (stripes - 1);
    OffHeap.getAndAddInt(counter(entry, stripe), 1);
    int ticket = Ticket.of(entry, stripe);
    if (isLive(entry) && entries.offset(entry) == offset && entries.file(entry) == file) {
      return ticket;
    }
    release(ticket);
    return NONE;
  }

  /** Holds a block by its number, if it may be read: for those who look at all blocks. */
  int acquire(int entry) {
    return isLive(entry) ? acquire(entry, entries.file(entry), entries.offset(entry)) : NONE;
  }

  /** Gives back what {@link #acquire} or {@link #reserve} returned, exactly once. */
  void release(int ticket) {
    int entry = Ticket.entry(ticket);
    OffHeap.getAndAddInt(counter(entry, Ticket.stripe(ticket)), -1);
    if (tryReclaim(entry)) {
      handOver(entry);
    }
  }

  /** Whether readers may see it. */
  boolean isLive(int entry) {
    return life(entry) == State.LIVE;
  }

  /** Whether it was reserved and neither published nor removed. */
  boolean isFilling(int entry) {
    return life(entry) == State.FILLING;
  }

  private int life(int entry) {
    return State.life(OffHeap.getLongVolatile(entries.stateAddress(entry)));
  }

  /** Whether somebody reads the block, or looks at it in passing. */
  boolean isHeld(int entry) {
    long slab = counters[entry >>> SLAB_SHIFT] + (long) (entry & SLAB - 1) * Integer.BYTES;
    for (int stripe = 0; stripe < stripes; stripe++) {
      if (OffHeap.getIntVolatile(slab + (long) stripe * SLAB * Integer.BYTES) != 0) {
        return true;
      }
    }
    return false;
  }

  /** How many hold the block; exact while nobody comes or goes. */
  int holders(int entry) {
    int holders = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      holders += OffHeap.getIntVolatile(counter(entry, stripe));
    }
    return holders;
  }

  private long counter(int entry, int stripe) {
    return counters[entry >>> SLAB_SHIFT]
        + ((long) stripe * SLAB + (entry & SLAB - 1)) * Integer.BYTES;
  }

  private boolean tryReclaim(int entry) {
    long address = entries.stateAddress(entry);
    long state = OffHeap.getLongVolatile(address);
    return State.life(state) == State.DEAD
        && !isHeld(entry)
        && OffHeap.compareAndSetLong(address, state, State.with(state, State.RECLAIMED));
  }

  private void handOver(int entry) {
    int head;
    do {
      head = reclaimed.get();
      entries.policyNext(entry, head);
    } while (!reclaimed.compareAndSet(head, entry));
  }

  // Writers, under the cache's lock.

  /** The block of this key that is there or is being filled, or {@link #NONE}. */
  int find(int file, long offset, long hash) {
    int entry = find(index.first(hash), file, offset, hash);
    return entry != NONE ? entry : find(index.second(hash), file, offset, hash);
  }

  private int find(long bucket, int file, long offset, long hash) {
    for (int i = 0; i < Index.BUCKET_BYTES; i += Long.BYTES) {
      long slot = OffHeap.getLong(bucket + i);
      if (slot != 0 && Index.tag(slot ^ hash) == 0) {
        int entry = Index.entry(slot);
        if (entries.offset(entry) == offset && entries.file(entry) == file) {
          return entry;
        }
      }
    }
    return NONE;
  }

  /**
   * Makes place for a block that nobody sees yet. The caller fills it, then calls {@link #publish},
   * and {@link #release} in any case.
   *
   * @return a ticket, or {@link #NONE} when there are as many blocks as there can be
   */
  int reserve(int file, long offset, long hash) {
    int entry = allocate();
    if (entry == NONE) {
      return NONE;
    }
    entries.key(entry, file, offset);
    if (!index.insert(hash, entry)) {
      entries.free(entry);
      return NONE;
    }
    OffHeap.getAndAddInt(counter(entry, 0), 1);
    setLife(entry, State.FILLING);
    return Ticket.of(entry, 0);
  }

  /** Direct memory that is full makes a cache of fewer blocks, not a read that fails. */
  private int allocate() {
    try {
      if (entries.highest() < entries.capacity()
          && entries.highest() == (long) counterSlabs.length << SLAB_SHIFT) {
        addCounters();
      }
      return entries.allocate();
    } catch (OutOfMemoryError e) {
      entries.stopGrowing();
      LOG.warn(
          "No direct memory for what is kept of more than {} blocks; raise"
              + " -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE) or make the cache smaller",
          entries.capacity(),
          e);
      return entries.allocate();
    }
  }

  /** At the start: all entries below are in use until they are freed. */
  void occupy(int highest) {
    entries.occupy(highest);
    while ((long) counterSlabs.length << SLAB_SHIFT < highest) {
      addCounters();
    }
  }

  /**
   * Shows a block that came back, whose entry is in use already.
   *
   * @return false if its place in the index is full
   */
  boolean restore(int entry, int file, long offset, long hash) {
    entries.key(entry, file, offset);
    boolean inserted = index.insert(hash, entry);
    if (inserted) {
      setLife(entry, State.LIVE);
    }
    return inserted;
  }

  private void addCounters() {
    ByteBuffer slab = OffHeap.allocate(stripes * SLAB * Integer.BYTES);
    counterSlabs = Arrays.copyOf(counterSlabs, counterSlabs.length + 1);
    counterSlabs[counterSlabs.length - 1] = slab;
    long[] more = Arrays.copyOf(counters, counterSlabs.length);
    more[more.length - 1] = OffHeap.address(slab);
    counters = more;
  }

  private void setLife(int entry, int life) {
    long address = entries.stateAddress(entry);
    OffHeap.putLongVolatile(address, State.with(OffHeap.getLong(address), life));
  }

  /**
   * Shows a block that has been filled to readers; needs no lock.
   *
   * @return false if it was removed meanwhile
   */
  boolean publish(int entry) {
    long address = entries.stateAddress(entry);
    long state = OffHeap.getLongVolatile(address);
    return State.life(state) == State.FILLING
        && OffHeap.compareAndSetLong(address, state, State.with(state, State.LIVE));
  }

  /**
   * Takes a block from the index. Readers that hold it go on.
   *
   * @return true if nobody holds it: it is the caller's to {@link #free}. Else it comes by {@link
   *     #takeReclaimed}, once.
   */
  boolean remove(int entry) {
    index.remove(hash(entry), entry);
    long address = entries.stateAddress(entry);
    long state;
    do {
      state = OffHeap.getLongVolatile(address);
    } while (!OffHeap.compareAndSetLong(address, state, State.with(state, State.DEAD)));
    return tryReclaim(entry);
  }

  /**
   * Removed blocks that their last readers have left since the last call: a list linked by {@link
   * #nextReclaimed}, to be freed one by one.
   */
  int takeReclaimed() {
    return reclaimed.get() == NONE ? NONE : reclaimed.getAndSet(NONE);
  }

  int nextReclaimed(int entry) {
    return entries.policyNext(entry);
  }

  /** Nobody holds it and its memory was given back: the entry may hold another block. */
  void free(int entry) {
    long address = entries.stateAddress(entry);
    OffHeap.putLongVolatile(address, State.nextGeneration(OffHeap.getLong(address)));
    entries.free(entry);
  }

  /** Makes the index fit for as many blocks as there can be now; readers see either. */
  void grow() {
    Index larger = new Index(entries.capacity());
    if (larger.mask <= index.mask) {
      return;
    }
    for (int entry = 0; entry < entries.highest(); entry++) {
      if (isLive(entry) || isFilling(entry)) {
        larger.insert(hash(entry), entry);
      }
    }
    index = larger;
  }

  /** Memory of index and counters. */
  long bytes() {
    return index.bytes() + (long) counterSlabs.length * stripes * SLAB * Integer.BYTES;
  }
}
