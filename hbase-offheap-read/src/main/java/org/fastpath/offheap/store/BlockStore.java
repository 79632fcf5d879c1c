package org.fastpath.offheap.store;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.LongToIntFunction;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.BlockTable;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.index.CachedFiles;
import org.fastpath.offheap.index.Ticket;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.fastpath.offheap.policy.EvictionPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache without HBase: blocks by file and offset in memory of a fixed size. Readers find and
 * pin blocks without a lock; a lock guards insertions and evictions. The store is the only owner of
 * index, entries, files, extents and eviction order. Its users have {@link Pin}s, objects made of a
 * {@link PinTicket}, and {@link Reservation}s.
 *
 * <p><b>One lock, for writers.</b> Index, free memory and eviction order change together in about a
 * microsecond. A miss reads a disk, and copying 64 KiB outside the lock takes ten times as long. So
 * locks per shard would only cause uneven shards. Readers never wait: they find blocks ({@link
 * BlockTable}), record hits ({@link EvictionPolicy#recordHit}) and release blocks without the lock.
 *
 * <p><b>No allocation under the lock.</b> Regions, a larger index and slabs of entries are
 * allocated before the lock, and published under it completely or not at all.
 *
 * <p><b>Each insertion evicts its own victims</b>, one at a time, and yields the lock now and then.
 * There is no eviction thread, no watermark and no queue.
 *
 * <p><b>Failures roll back.</b> If an allocation, the listener, the policy or the persistence
 * throws, the call is undone. If a block has already left the index, its eviction is completed.
 */
public final class BlockStore {
  private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

  /** Victims after which a caller yields the lock. */
  private static final int EVICTIONS_AT_A_TIME = 32;

  /** Entries examined before the lock is yielded. */
  private static final int ENTRIES_AT_A_TIME = 256;

  /** Extents examined before the lock is yielded. */
  private static final int EXTENTS_AT_A_TIME = 256;

  /** The time for which a thread that works in steps yields the lock. */
  private static final long YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The time without a retry after the first failed allocation of entries; later it doubles. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long MAX_RETRY_NANOS = TimeUnit.HOURS.toNanos(1);

  /** No rejection: the lock was yielded, begin again. */
  private static final Reservation AGAIN = Reservation.refused(null);

  /** No rejection: memory for more entries is needed first. */
  private static final Reservation SLAB_FIRST = Reservation.refused(null);

  /** The begin of a walk over the blocks of a file. */
  private static final int FROM_THE_START = Integer.MIN_VALUE;

  final BlockEntries entries;
  final ExtentAllocator extents;
  final BlockTable table;
  private final EvictionPolicy policy;
  private final LongToIntFunction entriesFor;
  private final Persistence persistence;
  private final PinTracker tracker;
  private final long retryNanos;
  private final PinnedBytes pinned;
  private final CachedFiles files = new CachedFiles();
  private final ReentrantLock lock = new ReentrantLock();
  private final long start = System.nanoTime();

  /** Held by the thread that allocates memory for more entries. */
  private final Object slabs = new Object();

  private final IntPredicate evictable = this::isEvictable;
  private volatile EvictionListener listener = (cachedAtNanos, flags) -> {};
  private boolean closed;

  /** Whether the last allocation of entries failed; then retries wait. */
  private boolean slabFailed;

  private long slabRefusedUntil;

  /** The time without a retry after the next failure. */
  private long nextRetryNanos;

  private volatile boolean slabLogged;

  // Written under the lock, read by anyone.
  private volatile long blocks;
  private volatile long dataBlocks;
  private volatile long bytes;
  private volatile long dataBytes;
  private volatile long evicted;

  /** Bytes of evicted blocks that are still pinned. */
  private volatile long heldBytes;

  /** Gets a report of each evicted block, under the lock, after its eviction. */
  @FunctionalInterface
  public interface EvictionListener {
    /**
     * Reports an evicted block.
     *
     * @param cachedAtNanos time of its insertion, by {@link System#nanoTime}
     * @param flags see {@link org.fastpath.offheap.index.BlockFlags}
     */
    void evicted(long cachedAtNanos, int flags);
  }

  /** The parts of a store. */
  public static final class Parts {
    private final ExtentAllocator extents;
    private final LongToIntFunction entriesFor;
    private EvictionPolicy.Factory policy;
    private double inMemoryShare;
    private Persistence persistence = Persistence.NONE;
    private PinTracker tracker;
    private MemoryAllocator allocator = MemoryAllocator.DIRECT;
    private long retryNanos = RETRY_NANOS;

    /**
     * Sets the parts without a default.
     *
     * @param extents owned by the store
     * @param entriesFor returns the maximum number of blocks in so many bytes
     */
    public Parts(
        ExtentAllocator extents, EvictionPolicy.Factory policy, LongToIntFunction entriesFor) {
      this.extents = extents;
      this.policy = policy;
      this.entriesFor = entriesFor;
    }

    /** Sets the part of the memory for blocks of IN_MEMORY families. */
    public Parts inMemoryShare(double share) {
      inMemoryShare = share;
      return this;
    }

    public Parts persistence(Persistence persistence) {
      this.persistence = persistence;
      return this;
    }

    /** Sets the tracker of pinned blocks; null for none. */
    public Parts tracker(PinTracker tracker) {
      this.tracker = tracker;
      return this;
    }

    /** Sets the allocator of all memory except that of blocks. */
    public Parts allocator(MemoryAllocator allocator) {
      this.allocator = allocator;
      return this;
    }

    /** Sets the time without a retry after a failed allocation of entries. */
    Parts retryNanos(long nanos) {
      retryNanos = nanos;
      return this;
    }

    public BlockStore store() {
      return new BlockStore(this);
    }
  }

  private BlockStore(Parts parts) {
    extents = parts.extents;
    entriesFor = parts.entriesFor;
    persistence = parts.persistence;
    tracker = parts.tracker;
    retryNanos = parts.retryNanos;
    nextRetryNanos = retryNanos;
    long capacity = extents.capacity();
    entries = new BlockEntries(entriesFor.applyAsInt(capacity), parts.allocator);
    policy = parts.policy.create(entries, capacity, parts.inMemoryShare, parts.allocator);
    table = new BlockTable(entries, number -> files.get(number).hash(), parts.allocator);
    pinned = new PinnedBytes(entries, table);
  }

  public void onEviction(EvictionListener listener) {
    this.listener = listener;
  }

  // Readers.

  /** Finds a block and pins it. Returns null if it is not cached. */
  public Pin pin(String name, long offset) {
    return pin(name, offset, PinTicket.PIN);
  }

  /**
   * Finds a block and pins it for an object that holds it. Returns null if it is not cached, or if
   * the maker returns null.
   */
  public <P> P pin(String name, long offset, PinTicket.Maker<P> maker) {
    CachedFile file = files.get(name);
    if (file == null) {
      return null;
    }
    long ticket = table.acquire(file.number(), offset, BlockTable.hash(file.hash(), offset));
    return ticket == Ticket.NONE ? null : pin(ticket, name, maker);
  }

  /**
   * Pins the next block of a walk over all blocks.
   *
   * @param from number of the first examined record
   * @return null after the last block
   */
  public Pin pinFrom(int from) {
    for (int entry = from; entry < entries.highest(); entry++) {
      long ticket = table.acquire(entry);
      if (ticket != Ticket.NONE) {
        return pin(ticket, "a walk", PinTicket.PIN);
      }
    }
    return null;
  }

  private <P> P pin(long ticket, String name, PinTicket.Maker<P> maker) {
    P pin = null;
    boolean complete = false;
    try {
      PinTicket given = new PinTicket(this, ticket);
      pin = maker.make(given);
      if (pin != null && tracker != null) {
        tracker.opened(pin, name + '_' + given.offset());
      }
      complete = pin != null;
      return pin;
    } finally {
      if (!complete) {
        table.release(ticket);
      }
    }
  }

  /** Returns access to the record of a pinned block. */
  public BlockRecord record(int entry) {
    return new BlockRecord(this, entry);
  }

  /** Reports the last release of a pin. */
  void unpinned(Object pin) {
    if (tracker != null) {
      tracker.closed(pin);
    }
  }

  /** Records a hit of a pinned block, given by the number of its record, by a client's read. */
  public void recordHit(int entry) {
    policy.recordHit(entry);
  }

  // Insertion.

  /**
   * Makes room for a block.
   *
   * @param length its bytes, with its index
   * @param beginning its bytes without the index, which should be in one piece
   * @return a place, which the caller closes; or the reason of a rejection
   */
  public Reservation reserve(
      String name,
      long offset,
      int length,
      int beginning,
      byte type,
      boolean data,
      boolean inMemory) {
    while (true) {
      Reservation result;
      lock.lock();
      try {
        result = tryReserve(name, offset, length, beginning, type, data, inMemory);
      } finally {
        lock.unlock();
      }
      if (result == SLAB_FIRST) {
        addSlab();
      } else if (result != AGAIN) {
        return result;
      }
    }
  }

  private Reservation tryReserve(
      String name,
      long offset,
      int length,
      int beginning,
      byte type,
      boolean data,
      boolean inMemory) {
    if (closed) {
      return Reservation.refused(RejectReason.CLOSED);
    }
    freeReleased();
    if (!extents.fits(length)) {
      return Reservation.refused(RejectReason.TOO_LARGE);
    }
    CachedFile known = files.get(name);
    if (known != null && find(known, offset) != BlockTable.NONE) {
      return Reservation.refused(RejectReason.PRESENT);
    }
    if (table.lacksSlab() && mayAskForSlab()) {
      return SLAB_FIRST;
    }
    long location = ExtentAllocator.NONE;
    try {
      location = extents.allocate(length, beginning);
      for (int i = 0; location == ExtentAllocator.NONE || noEntry(); i++) {
        if (i == EVICTIONS_AT_A_TIME) {
          return AGAIN;
        }
        if (!evictOne()) {
          return Reservation.refused(
              location == ExtentAllocator.NONE ? RejectReason.NO_ROOM : RejectReason.NO_ENTRY);
        }
        if (location == ExtentAllocator.NONE) {
          location = extents.allocate(length, beginning);
        }
      }
      long place = location;
      location = ExtentAllocator.NONE;
      return add(name, offset, length, place, type, data, inMemory);
    } finally {
      if (location != ExtentAllocator.NONE) {
        extents.free(location);
      }
    }
  }

  private boolean noEntry() {
    return entries.inUse() >= entries.capacity() || table.lacksSlab();
  }

  private boolean mayAskForSlab() {
    return !slabFailed || System.nanoTime() - slabRefusedUntil >= 0;
  }

  /** Allocates memory for more entries, one thread at a time and without the lock. */
  private void addSlab() {
    synchronized (slabs) {
      if (locked(() -> table.lacksSlab() && mayAskForSlab())) {
        try {
          BlockTable.Slab slab = table.newSlab();
          locked(
              () -> {
                table.addSlab(slab);
                slabFailed = false;
                nextRetryNanos = retryNanos;
                return true;
              });
        } catch (OutOfMemoryError e) {
          slabFailed(e);
        }
      }
    }
  }

  /** Handles full memory: the cache has fewer blocks for a while, and no read fails. */
  private void slabFailed(OutOfMemoryError e) {
    locked(
        () -> {
          slabFailed = true;
          slabRefusedUntil = System.nanoTime() + nextRetryNanos;
          nextRetryNanos = Math.min(2 * nextRetryNanos, Math.max(retryNanos, MAX_RETRY_NANOS));
          return true;
        });
    if (!slabLogged) {
      slabLogged = true;
      LOG.warn(
          "No memory for the records of more than {} blocks; the cache asks again in {} s and then"
              + " less often. Raise -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE) or make the cache"
              + " smaller",
          entries.highest(),
          TimeUnit.NANOSECONDS.toSeconds(retryNanos),
          e);
    }
  }

  private boolean locked(BooleanSupplier action) {
    lock.lock();
    try {
      return action.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  private int find(CachedFile file, long offset) {
    return table.find(file.number(), offset, BlockTable.hash(file.hash(), offset));
  }

  /** Adds an entry for an allocated block, or frees the memory after a failure. */
  private Reservation add(
      String name,
      long offset,
      int length,
      long location,
      byte type,
      boolean data,
      boolean inMemory) {
    CachedFile file = null;
    long ticket = Ticket.NONE;
    boolean linked = false;
    Reservation place = null;
    try {
      file = intern(name);
      ticket = table.reserve(file.number(), offset, BlockTable.hash(file.hash(), offset));
      if (ticket == Ticket.NONE) {
        return Reservation.refused(RejectReason.NO_ENTRY);
      }
      int entry = Ticket.entry(ticket);
      entries.length(entry, length);
      entries.location(entry, location);
      entries.type(entry, type, data);
      entries.flags(entry, (byte) 0);
      entries.cachedAt(entry, secondsSinceStart());
      Reservation made = new Reservation(this, ticket);
      linked = true;
      file.add(entries, entry, data);
      admit(entry, length, data, inMemory);
      place = made;
      return place;
    } finally {
      if (place == null) {
        rollBack(file, ticket, linked, location, length);
      }
    }
  }

  private void rollBack(CachedFile file, long ticket, boolean linked, long location, int length) {
    try {
      if (ticket == Ticket.NONE) {
        extents.free(location);
      } else {
        int entry = Ticket.entry(ticket);
        if (linked) {
          file.remove(entries, entry, entries.isData(entry));
        }
        heldBytes = heldBytes + length;
        table.remove(entry);
        table.release(ticket);
        freeReleased();
      }
    } finally {
      if (file != null) {
        removeIfEmpty(file);
      }
    }
  }

  private CachedFile intern(String name) {
    CachedFile file = files.intern(name);
    if (file.blocks() == 0) {
      boolean named = false;
      try {
        persistence.named(file);
        named = true;
      } finally {
        if (!named) {
          files.removeIfEmpty(file);
        }
      }
    }
    return file;
  }

  private void removeIfEmpty(CachedFile file) {
    files.removeIfEmpty(file);
    if (file.blocks() == 0) {
      persistence.forgotten(file);
    }
  }

  private void admit(int entry, int length, boolean data, boolean inMemory) {
    policy.add(entry, inMemory);
    count(1, length, data);
  }

  private int secondsSinceStart() {
    return (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }

  private void count(int sign, int length, boolean data) {
    blocks = blocks + sign;
    bytes = bytes + sign * (long) length;
    if (data) {
      dataBlocks = dataBlocks + sign;
      dataBytes = dataBytes + sign * (long) length;
    }
  }

  void publish(int entry) {
    if (!table.publish(entry)) {
      // The block was removed before it was recorded. The caller keeps the entry until the release.
      persistence.removed(entry);
    }
  }

  /** Removes a block that was not published. */
  void abandon(int entry) {
    lock.lock();
    try {
      if (table.isFilling(entry)) {
        take(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  // Eviction.

  private boolean evictOne() {
    int victim = policy.evict(evictable);
    if (victim == BlockEntries.NONE) {
      return false;
    }
    long cachedAt = cachedAtNanos(victim);
    int flags = entries.flags(victim);
    remove(victim);
    evicted = evicted + 1;
    listener.evicted(cachedAt, flags);
    return true;
  }

  private boolean isEvictable(int entry) {
    return table.isLive(entry) && !table.isHeld(entry);
  }

  /** Evicts a cached block. */
  private void take(int entry) {
    policy.remove(entry);
    remove(entry);
  }

  /** Removes a block that the policy has already removed. */
  private void remove(int entry) {
    boolean data = entries.isData(entry);
    int length = entries.length(entry);
    CachedFile file = files.get(entries.file(entry));
    boolean free = table.remove(entry);
    try {
      // The order matters: after DEAD, so that a filling thread notices, and before the memory is
      // used again.
      persistence.removed(entry);
    } finally {
      file.remove(entries, entry, data);
      count(-1, length, data);
      if (free) {
        free(entry);
      } else {
        heldBytes = heldBytes + length;
      }
      removeIfEmpty(file);
    }
  }

  private void free(int entry) {
    extents.free(entries.location(entry));
    table.free(entry);
  }

  /** Frees removed blocks whose last reader has released them. */
  private void freeReleased() {
    for (int entry = table.takeReclaimed(); entry != BlockEntries.NONE; ) {
      int next = table.nextReclaimed(entry);
      heldBytes = heldBytes - entries.length(entry);
      free(entry);
      entry = next;
    }
  }

  /** Frees blocks that readers have released, which otherwise the next writer does. */
  public void reclaim() {
    lock.lock();
    try {
      freeReleased();
    } finally {
      lock.unlock();
    }
  }

  /** Evicts one block. Readers that hold it continue. */
  public boolean evict(String name, long offset) {
    lock.lock();
    try {
      freeReleased();
      CachedFile file = files.get(name);
      int entry = file == null ? BlockTable.NONE : find(file, offset);
      if (entry == BlockTable.NONE) {
        return false;
      }
      take(entry);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Evicts the pinned block, independent of the name that found it. Its readers continue. */
  public boolean evict(HeldBlock block) {
    lock.lock();
    try {
      boolean cached = table.isCached(block.entry());
      if (cached) {
        take(block.entry());
      }
      return cached;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Evicts the blocks of a file from offset {@code first} to {@code last}, a few at a time. Readers
   * that hold one continue.
   *
   * @return the number of blocks
   */
  public int evict(String name, long first, long last) {
    CachedFile file = files.get(name);
    int removed = 0;
    int cursor = file == null ? BlockEntries.NONE : FROM_THE_START;
    while (cursor != BlockEntries.NONE) {
      lock.lock();
      try {
        freeReleased();
        int seen = 0;
        // A concurrent change may have removed the cursor's block from the file.
        cursor = cursor == FROM_THE_START || !isOf(file, cursor) ? file.first() : cursor;
        while (cursor != BlockEntries.NONE && seen++ < EVICTIONS_AT_A_TIME) {
          int next = entries.fileNext(cursor);
          if (entries.offset(cursor) >= first && entries.offset(cursor) <= last) {
            take(cursor);
            removed++;
          }
          cursor = next;
        }
      } finally {
        lock.unlock();
      }
    }
    return removed;
  }

  private boolean isOf(CachedFile file, int entry) {
    return table.isCached(entry) && entries.file(entry) == file.number();
  }

  // Resizing, by one thread at a time.

  /** Returns the bytes of memory for blocks. */
  public long capacity() {
    return extents.capacity();
  }

  /**
   * Adds memory. Readers and writers continue meanwhile. If this throws, nothing has changed.
   *
   * @param bytes of the whole cache
   * @param progress gets a report of each reserved region
   * @throws CacheConfigurationException if the memory is not available
   * @throws InterruptedException if the thread is interrupted, or from the progress
   */
  public void grow(long bytes, CacheMemory.Progress<InterruptedException> progress)
      throws InterruptedException {
    try (CacheMemory.Prepared regions =
        extents.memory().prepare(bytes - extents.capacity(), progress)) {
      long capacity = extents.capacity() + regions.bytes();
      int blocksThen = entriesFor.applyAsInt(capacity);
      BlockTable.Larger larger = table.prepare(blocksThen);
      boolean published = false;
      try {
        migrate(larger);
        publish(regions, capacity, blocksThen, larger);
        published = true;
      } finally {
        if (!published) {
          cancelMigration();
        }
      }
    }
  }

  private void cancelMigration() {
    lock.lock();
    try {
      table.cancelMigration();
    } finally {
      lock.unlock();
    }
  }

  /** Copies the index to a larger one, a few entries at a time. */
  private void migrate(BlockTable.Larger larger) throws InterruptedException {
    if (larger == null) {
      return;
    }
    int highest;
    lock.lock();
    try {
      table.beginMigration(larger);
      highest = entries.highest();
    } finally {
      lock.unlock();
    }
    for (int from = 0; from < highest; from += Math.min(ENTRIES_AT_A_TIME, highest - from)) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      lock.lock();
      try {
        table.migrate(from, from + Math.min(ENTRIES_AT_A_TIME, highest - from));
      } finally {
        lock.unlock();
      }
      yieldLock();
    }
  }

  private void publish(
      CacheMemory.Prepared regions, long capacity, int blocksThen, BlockTable.Larger larger) {
    long before = extents.capacity();
    boolean published = false;
    lock.lock();
    try {
      if (larger != null) {
        table.endMigration();
      }
      policy.resize(capacity);
      extents.addRegions(regions);
      entries.grow(blocksThen);
      published = true;
    } finally {
      try {
        if (!published) {
          policy.resize(before);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Retires the last region, if the cache then still has at least this size.
   *
   * @return whether there is such a region
   */
  public boolean retireRegion(long bytes) {
    try {
      return locked(() -> retire(bytes));
    } finally {
      sweep();
    }
  }

  private boolean retire(long bytes) {
    if (extents.capacity() - extents.lastRegionBytes() < bytes || !extents.retireLastRegion()) {
      return false;
    }
    boolean resized = false;
    try {
      policy.resize(extents.capacity());
      resized = true;
    } finally {
      if (!resized) {
        extents.reactivateRegion();
      }
    }
    return true;
  }

  /** Processes the extents of a retired or reactivated region, a few at a time. */
  private void sweep() {
    while (locked(() -> extents.sweep(EXTENTS_AT_A_TIME))) {
      yieldLock();
    }
  }

  /**
   * Yields the lock. It is not fair, so a thread that takes it again at once would starve others.
   */
  private void yieldLock() {
    if (lock.hasQueuedThreads()) {
      LockSupport.parkNanos(YIELD_NANOS);
    }
  }

  /** Evicts the blocks in a retired region, a few at a time. */
  public void emptyRetiredRegion() {
    for (int entry = 0; entry < entries.highest(); ) {
      lock.lock();
      try {
        for (int i = 0; i < ENTRIES_AT_A_TIME && entry < entries.highest(); i++, entry++) {
          if (table.isCached(entry) && extents.inRetiredRegion(entries.location(entry))) {
            take(entry);
          }
        }
      } finally {
        lock.unlock();
      }
      yieldLock();
    }
  }

  /** Frees a retired region, if no reader holds a block in it. */
  public boolean freeRetiredRegion() {
    lock.lock();
    try {
      freeReleased();
      return extents.removeLastRegion();
    } finally {
      lock.unlock();
    }
  }

  /** Reactivates a retired region. */
  public void reactivateRegion() {
    try {
      locked(
          () -> {
            boolean reinstated = extents.reactivateRegion();
            if (reinstated) {
              policy.resize(extents.capacity());
            }
            return reinstated;
          });
    } finally {
      sweep();
    }
  }

  // Restart.

  /** A recorded block of an earlier process. */
  public record Recorded(
      String file,
      int slot,
      long offset,
      int length,
      long location,
      byte type,
      boolean data,
      byte flags,
      byte allocator,
      int nextBlockOnDiskSize,
      long cachedAtMillis,
      boolean inMemory) {}

  /** Marks all records below a number as used, until each is restored or skipped. */
  public void beginRestore(int highest) {
    table.occupy(highest);
  }

  /** Skips a record without a block of an earlier process. */
  public void skip(int entry) {
    lock.lock();
    try {
      entries.free(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a block of an earlier process is in one part. */
  public boolean isWhole(long location) {
    return extents.nextPart(location) == ExtentAllocator.NONE;
  }

  /**
   * Restores a block of an earlier process whose memory the allocator has accepted.
   *
   * @return false if the file already has it or the index has no place; then memory and record are
   *     free
   */
  public boolean restore(int entry, Recorded block) {
    lock.lock();
    try {
      entries.length(entry, block.length());
      entries.location(entry, block.location());
      entries.type(entry, block.type(), block.data());
      entries.flags(entry, block.flags());
      entries.allocator(entry, block.allocator());
      entries.nextBlockOnDiskSize(entry, block.nextBlockOnDiskSize());
      entries.cachedAt(entry, cachedAt(block.cachedAtMillis()));
      CachedFile file = files.intern(block.file());
      if (!place(file, entry, block)) {
        extents.free(block.location());
        files.removeIfEmpty(file);
        entries.free(entry);
        return false;
      }
      file.unconfirm();
      persistence.restored(file, block.slot());
      file.add(entries, entry, block.data());
      admit(entry, block.length(), block.data(), block.inMemory());
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean place(CachedFile file, int entry, Recorded block) {
    long hash = BlockTable.hash(file.hash(), block.offset());
    return (file.blocks() == 0 || file.slot() == block.slot())
        && find(file, block.offset()) == BlockTable.NONE
        && table.restore(entry, file.number(), block.offset(), hash);
  }

  /** Returns the entry's form of a time of day. */
  private int cachedAt(long millis) {
    long ago = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis() - millis);
    return (int) Math.max(Integer.MIN_VALUE, secondsSinceStart() - Math.max(0, ago));
  }

  /** Closes the cache. Evicts everything, unless the next process shall find it. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    if (!persistence.outlivesProcess()) {
      for (CachedFile file : files.all()) {
        evict(file.name(), 0, Long.MAX_VALUE);
      }
    }
  }

  // State.

  /** Returns the file of that name for reading; null if no block of it is cached. */
  public CachedFile file(String name) {
    return files.get(name);
  }

  CachedFile file(int number) {
    return files.get(number);
  }

  /** Returns the files with cached blocks, for reading. */
  public Collection<CachedFile> files() {
    return Collections.unmodifiableCollection(files.all());
  }

  /** Returns a live view of the bytes of cached blocks by region. */
  public Map<String, Long> regionBytes() {
    return files.regionBytes();
  }

  /** Reports the region of a file, unless it is known or no block of the file is cached. */
  public void region(String name, String region) {
    lock.lock();
    try {
      CachedFile file = files.get(name);
      if (file != null) {
        files.region(file, region);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Marks a file whose blocks are all cached.
   *
   * @param name the file with the blocks
   * @param prefetched the same name, or that of a reference to the file
   */
  public boolean markFullyCached(
      String name, String prefetched, int data, CachedFile.FullyCached fullyCached) {
    lock.lock();
    try {
      CachedFile file = files.get(name);
      boolean all = file != null && file.dataBlocks() == data;
      if (all) {
        file.fullyCached(prefetched, fullyCached);
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  public long blocks() {
    return blocks;
  }

  public long dataBlocks() {
    return dataBlocks;
  }

  /** Returns the bytes of the cached blocks. */
  public long bytes() {
    return bytes;
  }

  public long dataBytes() {
    return dataBytes;
  }

  /** Returns the bytes of evicted blocks that are still pinned. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Returns the bytes of pinned blocks, including evicted ones; see {@link PinnedBytes}. */
  public long pinnedBytes() {
    return heldBytes + pinned.refresh();
  }

  public long evicted() {
    return evicted;
  }

  long cachedAtNanos(int entry) {
    return start + TimeUnit.SECONDS.toNanos(entries.cachedAt(entry));
  }

  /** Returns the bytes off the heap besides those for blocks. */
  public long metadataBytes() {
    return entries.bytes() + table.bytes() + policy.metadataBytes();
  }

  /** Returns the policy, for reading. */
  public EvictionPolicy policy() {
    return policy;
  }

  /** Returns the used records: of cached blocks, and of evicted blocks that are still pinned. */
  public int entriesInUse() {
    lock.lock();
    try {
      return entries.inUse();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Walks index, entries, policy and memory, and looks up each block by its key.
   *
   * @throws IllegalStateException or AssertionError if anything is inconsistent
   */
  public void validate() {
    lock.lock();
    try {
      freeReleased();
      table.validate();
      policy.validate();
      extents.validate();
      if (extents.payloadBytes() != bytes + heldBytes) {
        throw new IllegalStateException(
            extents.payloadBytes()
                + " bytes in extents, of which "
                + bytes
                + " are cached and "
                + heldBytes
                + " held");
      }
    } finally {
      lock.unlock();
    }
  }
}
