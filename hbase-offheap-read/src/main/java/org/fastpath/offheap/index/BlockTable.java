package org.fastpath.offheap.index;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Finds cached blocks by key and counts their readers, without a lock for readers.
 *
 * <p><b>The index</b> is a {@link BucketIndex}. A key goes to the emptier one of two buckets [1],
 * and an entry never moves. A slot is one atomic word: writing it publishes a block, zeroing it
 * removes the block.
 *
 * <p><b>A larger index</b> is filled during use of the old one: {@link #beginMigration}, {@link
 * #migrate}, {@link #endMigration}. Writers change both. A late reader of the old one may miss a
 * later block.
 *
 * <p><b>Reference counts</b> are spread over stripes [2], chosen by thread, because one counter
 * would be a contended cache line. Only a sum of zero matters.
 *
 * <p><b>The protocol</b> is a variant of hazard pointers [3]: announce, then validate.
 *
 * <pre>
 *   reader                               evicting thread (under the cache's lock)
 *     increment own counter                zero the slot
 *     is the entry LIVE, is it the key?    LIVE to DEAD
 *       yes: read                          are all counters zero?
 *       no:  decrement, it is a miss         yes: DEAD to RECLAIMED, by compare-and-set: free it
 *     ...                                    no:  a reader is there, it will free it
 *     decrement own counter
 *     is the entry DEAD, are all zero?
 *       yes: DEAD to RECLAIMED: hand it over
 * </pre>
 *
 * All these operations are sequentially consistent. A reader that saw LIVE had incremented before
 * the entry became DEAD, so a later check of the counters finds it. Every decrement checks for
 * DEAD, so the last reader hands the block over. A generation in the state protects the next block
 * in the same entry.
 *
 * <p>A filled block becomes LIVE without the lock, so {@link #isCached} reads the word once.
 * Readers push reclaimed entries on a list that the next writer takes as a whole (no ABA). A thread
 * that fills a block holds a reference from {@link #reserve} on.
 *
 * <ol>
 *   <li>Azar, Broder, Karlin, Upfal: Balanced Allocations. SIAM Journal on Computing 29(1), 1999
 *   <li>Ellen, Lev, Luchangco, Moir: SNZI: Scalable NonZero Indicators. PODC 2007
 *   <li>Michael: Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects. IEEE TPDS 15(6),
 *       2004
 * </ol>
 */
public final class BlockTable {
  /** No block. */
  public static final int NONE = BlockEntries.NONE;

  /** The maximum number of blocks: an entry's number plus one is a positive int. */
  public static final int MAX_ENTRIES = Integer.MAX_VALUE;

  private static final int MAX_STRIPES = 1 << Ticket.STRIPE_BITS;

  /** The state of an entry: its generation, and its life. */
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

  private static final int SLAB_SHIFT = BlockEntries.SLAB_SHIFT;
  private static final int SLAB = BlockEntries.SLAB;

  private final BlockEntries entries;
  private final IntToLongFunction fileHash;
  private final MemoryAllocator allocator;
  private final int stripes;
  private final AtomicInteger reclaimed = new AtomicInteger(NONE);

  private volatile BucketIndex index;

  /** A larger index that is being filled, or null. */
  private BucketIndex next;

  private volatile Memory[] counters = {};

  /** Memory for the next entries, so that none is allocated under the lock. */
  public record Slab(Memory entries, Memory counters) {}

  /**
   * Makes an empty table.
   *
   * @param entries the blocks
   * @param fileHash well-mixed bits of a file's name, by its number
   */
  public BlockTable(BlockEntries entries, IntToLongFunction fileHash, MemoryAllocator allocator) {
    this.entries = entries;
    this.fileHash = fileHash;
    this.allocator = allocator;
    this.index = new BucketIndex(entries.capacity(), allocator);
    this.stripes = stripes(Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns twice the number of processors, as a power of two, so that two threads rarely share a
   * stripe.
   */
  private static int stripes(int processors) {
    return Math.min(MAX_STRIPES, Integer.highestOneBit(2 * processors - 1) << 1);
  }

  /** Returns the number of counters per block. */
  public int stripes() {
    return stripes;
  }

  /** Returns 64 well-mixed bits of a key, always the same for a key. */
  public static long hash(long fileHash, long offset) {
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
   * Finds a block that may be read, and pins it.
   *
   * @return a ticket for {@link #release}, or {@link Ticket#NONE}
   */
  public long acquire(int file, long offset, long hash) {
    BucketIndex current = index;
    long ticket = acquire(current, current.first(hash), file, offset, hash);
    return ticket != Ticket.NONE
        ? ticket
        : acquire(current, current.second(hash), file, offset, hash);
  }

  private long acquire(BucketIndex current, int bucket, int file, long offset, long hash) {
    Memory slab = current.slab(bucket);
    long at = BucketIndex.at(bucket);
    for (int i = 0; i < BucketIndex.BUCKET_BYTES; i += Long.BYTES) {
      long slot = slab.getLongVolatile(at + i);
      if (BucketIndex.matches(slot, hash)) {
        long ticket = acquire(BucketIndex.entry(slot), file, offset);
        if (ticket != Ticket.NONE) {
          return ticket;
        }
      }
    }
    return Ticket.NONE;
  }

  private long acquire(int entry, int file, long offset) {
    int stripe = (int) Thread.currentThread().getId() & (stripes - 1);
    // Loaded before the count changes, because loads after an atomic change wait for it.
    Memory slab = entries.slab(entry);
    long at = BlockEntries.at(entry);
    counters(entry).getAndAddInt(counter(entry, stripe), 1);
    long ticket = Ticket.of(entry, stripe);
    if (State.life(slab.getLongVolatile(at + BlockEntries.STATE)) == State.LIVE
        && slab.getLong(at + BlockEntries.OFFSET) == offset
        && slab.getInt(at + BlockEntries.FILE) == file) {
      return ticket;
    }
    release(ticket);
    return Ticket.NONE;
  }

  /** Pins a block by its number, if it may be read; for walks over all blocks. */
  public long acquire(int entry) {
    return isLive(entry) ? acquire(entry, entries.file(entry), entries.offset(entry)) : Ticket.NONE;
  }

  /** Releases a ticket of {@link #acquire} or {@link #reserve}, exactly once. */
  public void release(long ticket) {
    int entry = Ticket.entry(ticket);
    release(counters(entry), entries.slab(entry), entry, Ticket.stripe(ticket));
  }

  /**
   * Releases with known addresses.
   *
   * @param counters the {@link #counters} of the entry
   * @param slab of its record
   */
  public void release(Memory counters, Memory slab, int entry, int stripe) {
    counters.getAndAddInt(counter(entry, stripe), -1);
    if (tryReclaim(slab, entry)) {
      handOver(entry);
    }
  }

  /** Returns whether readers may see the entry. */
  public boolean isLive(int entry) {
    return life(entry) == State.LIVE;
  }

  /** Returns whether the entry was reserved and neither published nor removed. */
  public boolean isFilling(int entry) {
    return life(entry) == State.FILLING;
  }

  /**
   * Returns whether the entry is in the index: it is being filled, or readers may see it. One read
   * decides.
   */
  public boolean isCached(int entry) {
    int life = life(entry);
    return life == State.FILLING || life == State.LIVE;
  }

  private int life(int entry) {
    return State.life(entries.state(entry));
  }

  /** Returns whether a thread reads or checks the block. */
  public boolean isHeld(int entry) {
    Memory slab = counters(entry);
    for (int stripe = 0; stripe < stripes; stripe++) {
      if (slab.getIntVolatile(counter(entry, stripe)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of holders of the block; exact while none changes. */
  public int holders(int entry) {
    int holders = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      holders += counters(entry).getIntVolatile(counter(entry, stripe));
    }
    return holders;
  }

  /** Returns the bytes of the pinned live blocks among these. */
  public long heldBytes(int from, int to) {
    long bytes = 0;
    for (int entry = from; entry < to; entry++) {
      // The order matters: a new entry may have no counters yet, a live one has.
      if (isLive(entry) && isHeld(entry)) {
        bytes += entries.length(entry);
      }
    }
    return bytes;
  }

  /** Returns the memory of an entry's counters. */
  public Memory counters(int entry) {
    return counters[entry >>> SLAB_SHIFT];
  }

  /**
   * Returns the offset of a counter in its slab. The counters of one block are in different cache
   * lines.
   */
  private static long counter(int entry, int stripe) {
    return ((long) stripe * SLAB + (entry & SLAB - 1)) * Integer.BYTES;
  }

  private boolean tryReclaim(Memory slab, int entry) {
    long state = slab.getLongVolatile(BlockEntries.at(entry) + BlockEntries.STATE);
    return State.life(state) == State.DEAD
        && !isHeld(entry)
        && entries.compareAndSetState(entry, state, State.with(state, State.RECLAIMED));
  }

  private void handOver(int entry) {
    int head;
    do {
      head = reclaimed.get();
      entries.policyNext(entry, head);
    } while (!reclaimed.compareAndSet(head, entry));
  }

  // Writers, under the cache's lock.

  /** Returns the cached or filling block of this key, or {@link #NONE}. */
  public int find(int file, long offset, long hash) {
    int entry = find(index.first(hash), file, offset, hash);
    return entry != NONE ? entry : find(index.second(hash), file, offset, hash);
  }

  private int find(int bucket, int file, long offset, long hash) {
    Memory slab = index.slab(bucket);
    long at = BucketIndex.at(bucket);
    for (int i = 0; i < BucketIndex.BUCKET_BYTES; i += Long.BYTES) {
      long slot = slab.getLong(at + i);
      if (BucketIndex.matches(slot, hash)) {
        int entry = BucketIndex.entry(slot);
        if (entries.offset(entry) == offset && entries.file(entry) == file) {
          return entry;
        }
      }
    }
    return NONE;
  }

  /** Returns whether the next block needs memory for entries; see {@link #newSlab}. */
  public boolean lacksSlab() {
    return entries.lacksSlab();
  }

  /**
   * Allocates memory for entries; needs no lock.
   *
   * @throws OutOfMemoryError if it is not available
   */
  public Slab newSlab() {
    return new Slab(allocator.allocate(BlockEntries.SLAB_BYTES), newCounters());
  }

  private Memory newCounters() {
    return allocator.allocate((long) stripes * SLAB * Integer.BYTES);
  }

  /** Adds memory for the next entries, completely or, if this throws, not at all. */
  public void addSlab(Slab slab) {
    Memory[] more = withCounters(slab.counters);
    entries.addSlab(slab.entries);
    counters = more;
  }

  private Memory[] withCounters(Memory slab) {
    Memory[] more = Arrays.copyOf(counters, counters.length + 1);
    more[counters.length] = slab;
    return more;
  }

  /**
   * Reserves an entry that no reader sees yet. The caller fills it, then calls {@link #publish},
   * and {@link #release} in any case.
   *
   * @return a ticket, or {@link Ticket#NONE} if all entries are in use or its buckets are full
   */
  public long reserve(int file, long offset, long hash) {
    if (lacksSlab()) {
      addSlab(newSlab());
    }
    int entry = entries.allocate();
    if (entry == NONE) {
      return Ticket.NONE;
    }
    entries.key(entry, file, offset);
    if (!insert(hash, entry)) {
      entries.free(entry);
      return Ticket.NONE;
    }
    counters(entry).getAndAddInt(counter(entry, 0), 1);
    setLife(entry, State.FILLING);
    return Ticket.of(entry, 0);
  }

  private boolean insert(long hash, int entry) {
    boolean inserted = index.insert(hash, entry);
    if (inserted && next != null && !next.insert(hash, entry)) {
      next = null;
    }
    return inserted;
  }

  /** Marks all entries below a number as used, at the start. */
  public void occupy(int highest) {
    entries.occupy(highest);
    while ((long) counters.length << SLAB_SHIFT < highest) {
      counters = withCounters(newCounters());
    }
  }

  /**
   * Publishes a restored block, whose entry is already in use.
   *
   * @return false if its buckets are full
   */
  public boolean restore(int entry, int file, long offset, long hash) {
    entries.key(entry, file, offset);
    boolean inserted = insert(hash, entry);
    if (inserted) {
      setLife(entry, State.LIVE);
    }
    return inserted;
  }

  private void setLife(int entry, int life) {
    entries.state(entry, State.with(entries.state(entry), life));
  }

  /**
   * Publishes a filled block to readers; needs no lock.
   *
   * @return false if it was removed meanwhile
   */
  public boolean publish(int entry) {
    long state = entries.state(entry);
    return State.life(state) == State.FILLING
        && entries.compareAndSetState(entry, state, State.with(state, State.LIVE));
  }

  /**
   * Removes a block from the index. Readers that hold it continue.
   *
   * @return true if no reader holds it and the caller must {@link #free} it; otherwise {@link
   *     #takeReclaimed} returns it once
   */
  public boolean remove(int entry) {
    long hash = hash(entry);
    index.remove(hash, entry);
    if (next != null) {
      next.remove(hash, entry);
    }
    long state;
    do {
      state = entries.state(entry);
    } while (!entries.compareAndSetState(entry, state, State.with(state, State.DEAD)));
    return tryReclaim(entries.slab(entry), entry);
  }

  /**
   * Returns the removed blocks that their last readers released since the last call. The list is
   * linked by {@link #nextReclaimed}; the caller frees each.
   */
  public int takeReclaimed() {
    return reclaimed.get() == NONE ? NONE : reclaimed.getAndSet(NONE);
  }

  public int nextReclaimed(int entry) {
    return entries.policyNext(entry);
  }

  /** Frees an entry without readers, whose memory was released. */
  public void free(int entry) {
    entries.state(entry, State.nextGeneration(entries.state(entry)));
    entries.free(entry);
  }

  // A larger index.

  /** A larger index that no thread uses yet. */
  public static final class Larger {
    private final BucketIndex index;

    private Larger(BucketIndex index) {
      this.index = index;
    }
  }

  /**
   * Allocates an index for so many entries; needs no lock.
   *
   * @return null if the current one is large enough
   * @throws OutOfMemoryError if the memory is not available
   */
  public Larger prepare(int capacity) {
    return index.isFor(capacity) ? null : new Larger(new BucketIndex(capacity, allocator));
  }

  /** Begins to fill a larger index. From now on, changes go to both. */
  public void beginMigration(Larger larger) {
    next = larger.index;
  }

  /**
   * Copies some of the entries from before the migration to the larger index. Later ones are in
   * both.
   *
   * @throws IllegalStateException if the larger index has no place for a block
   */
  public void migrate(int from, int end) {
    for (int entry = from; entry < end; entry++) {
      if (isCached(entry)) {
        copy(entry);
      }
    }
  }

  private void copy(int entry) {
    requireMigration();
    if (!isCopied(entry) && !next.insert(hash(entry), entry)) {
      next = null;
      requireMigration();
    }
  }

  /** Returns whether an entry is in the larger index. */
  boolean isCopied(int entry) {
    return next.contains(hash(entry), entry);
  }

  /** Removes an entry from the larger index, as if it were older than the migration; for tests. */
  void forgetCopy(int entry) {
    next.remove(hash(entry), entry);
  }

  private void requireMigration() {
    if (next == null) {
      throw new IllegalStateException("the larger index has two full buckets");
    }
  }

  /** Switches readers to the larger index. */
  public void endMigration() {
    requireMigration();
    index = next;
    next = null;
  }

  /** Keeps the current index. */
  public void cancelMigration() {
    next = null;
  }

  /** Returns the memory of index and counters. */
  public long bytes() {
    return index.bytes() + (long) counters.length * stripes * SLAB * Integer.BYTES;
  }

  /**
   * Walks all entries and all buckets.
   *
   * @throws IllegalStateException if a cached block cannot be found by its key, or the index has an
   *     entry that is not cached
   */
  public void validate() {
    long cached = 0;
    for (int entry = 0; entry < entries.highest(); entry++) {
      if (isCached(entry)) {
        cached++;
        int found = find(entries.file(entry), entries.offset(entry), hash(entry));
        if (found != entry) {
          throw new IllegalStateException("block " + entry + " is cached; its key finds " + found);
        }
      }
    }
    long slots = 0;
    for (int bucket = 0; bucket < index.buckets(); bucket++) {
      slots += index.used(bucket);
    }
    if (slots != cached) {
      throw new IllegalStateException(slots + " slots in use for " + cached + " cached blocks");
    }
  }
}
