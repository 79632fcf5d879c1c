package org.fastpath.offheap.store;

import java.util.Collection;
import java.util.Collections;
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
 * The cache without HBase: blocks by file and offset in memory of a fixed size, found and held
 * without a lock, brought in and taken out under one. It is the only owner of index, entries,
 * files, extents and eviction order; others have {@link Pin}s and {@link Reservation}s.
 *
 * <p><b>One lock, for writers.</b> Index, free memory and eviction order change together, and a
 * step of all that takes about a microsecond, while a miss reads a disk and copying a block of 64
 * KiB takes ten times as long; copying happens outside the lock. So a lock a shard would buy
 * nothing but shards that fill unevenly. What must never wait is a reader: it finds blocks ({@link
 * BlockTable}), counts hits ({@link EvictionPolicy#recordHit}) and gives blocks back without it.
 *
 * <p><b>No memory under the lock.</b> Regions, a larger index and slabs of entries are allocated
 * before the lock is taken, and published under it in a step that happens whole or not at all.
 *
 * <p><b>Room is made by the block that needs it</b>, one victim at a time, and the lock is given
 * away now and then: there is no eviction thread, no watermark, and no queue that could be full.
 *
 * <p><b>Failures roll back.</b> If an allocation, the listener, the policy or the persistence
 * throws, all that was done for the call is undone before the exception leaves, or, if a block has
 * left the index already, completed.
 */
public final class BlockStore {
  private static final Logger LOG = LoggerFactory.getLogger(BlockStore.class);

  /** Victims after which a caller that needs much room lets others have the lock. */
  private static final int EVICTIONS_AT_A_TIME = 32;

  /** Entries that are looked at before others have the lock. */
  private static final int ENTRIES_AT_A_TIME = 256;

  /** Extents that are looked at before others have the lock. */
  private static final int EXTENTS_AT_A_TIME = 256;

  /** How long a thread that works in steps leaves the lock to others that wait for it. */
  private static final long GIVE_WAY_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** How long the entries that there are must do after memory for more could not be had. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** No refusal: the lock was given away, begin again. */
  private static final Reservation AGAIN = Reservation.refused(null);

  /** No refusal: memory for more entries is needed first. */
  private static final Reservation SLAB_FIRST = Reservation.refused(null);

  /** Where a walk over the blocks of a file begins. */
  private static final int FROM_THE_START = Integer.MIN_VALUE;

  final BlockEntries entries;
  final ExtentAllocator extents;
  final BlockTable table;
  private final EvictionPolicy policy;
  private final LongToIntFunction entriesFor;
  private final Persistence persistence;
  private final PinTracker tracker;
  private final long patienceNanos;
  private final PinnedBytes pinned;
  private final CachedFiles files = new CachedFiles();
  private final ReentrantLock lock = new ReentrantLock();
  private final long start = System.nanoTime();

  /** Held by the thread that allocates memory for more entries. */
  private final Object slabs = new Object();

  private final IntPredicate evictable = this::isEvictable;
  private volatile EvictionListener listener = (cachedAtNanos, flags) -> {};
  private boolean closed;

  /** Until when no memory for more entries is asked for, if that could not be had. */
  private boolean slabRefused;

  private long slabRefusedUntil;
  private volatile boolean slabLogged;

  // Written under the lock, read by anyone.
  private volatile long blocks;
  private volatile long dataBlocks;
  private volatile long bytes;
  private volatile long dataBytes;
  private volatile long evicted;

  /** Bytes of blocks that are not in the cache any more and still read. */
  private volatile long heldBytes;

  /** Is told of each block that had to leave for another one, under the lock, after it has left. */
  @FunctionalInterface
  public interface EvictionListener {
    /**
     * A block has left.
     *
     * @param cachedAtNanos when it came, as a {@link System#nanoTime}
     * @param flags see {@link org.fastpath.offheap.index.BlockFlags}
     */
    void evicted(long cachedAtNanos, int flags);
  }

  /** What a store is made of. */
  public static final class Parts {
    private final ExtentAllocator extents;
    private final LongToIntFunction entriesFor;
    private EvictionPolicy.Factory policy;
    private double inMemoryShare;
    private Persistence persistence = Persistence.NONE;
    private PinTracker tracker;
    private MemoryAllocator allocator = MemoryAllocator.DIRECT;
    private long patienceNanos = PATIENCE_NANOS;

    /**
     * The parts that have no default.
     *
     * @param extents belongs to the store from now on
     * @param entriesFor how many blocks there can be in so many bytes
     */
    public Parts(
        ExtentAllocator extents, EvictionPolicy.Factory policy, LongToIntFunction entriesFor) {
      this.extents = extents;
      this.policy = policy;
      this.entriesFor = entriesFor;
    }

    /** The part of the memory in which blocks of IN_MEMORY families are kept. */
    public Parts inMemoryShare(double share) {
      inMemoryShare = share;
      return this;
    }

    public Parts persistence(Persistence persistence) {
      this.persistence = persistence;
      return this;
    }

    /** Of blocks in readers' hands; null for none. */
    public Parts tracker(PinTracker tracker) {
      this.tracker = tracker;
      return this;
    }

    /** Gives all memory but that of the blocks. */
    public Parts allocator(MemoryAllocator allocator) {
      this.allocator = allocator;
      return this;
    }

    /** How long the records that there are must do after memory for more could not be had. */
    Parts patienceNanos(long nanos) {
      patienceNanos = nanos;
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
    patienceNanos = parts.patienceNanos;
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

  /** Finds a block and holds it; null if it is not there. */
  public Pin pin(String name, long offset) {
    CachedFile file = files.get(name);
    if (file == null) {
      return null;
    }
    long ticket = table.acquire(file.number(), offset, BlockTable.hash(file.hash(), offset));
    return ticket == Ticket.NONE ? null : pin(ticket, name);
  }

  /**
   * Holds the next block of a walk over all.
   *
   * @param from the number of the first record that is looked at
   * @return null behind the last block
   */
  public Pin pinFrom(int from) {
    for (int entry = from; entry < entries.highest(); entry++) {
      long ticket = table.acquire(entry);
      if (ticket != Ticket.NONE) {
        return pin(ticket, "a walk");
      }
    }
    return null;
  }

  private Pin pin(long ticket, String name) {
    Pin pin = null;
    boolean complete = false;
    try {
      pin = new Pin(this, ticket);
      if (tracker != null) {
        tracker.opened(pin, name + '_' + pin.offset());
      }
      complete = true;
      return pin;
    } finally {
      if (!complete) {
        table.release(ticket);
      }
    }
  }

  /** The last holder of a pin is about to give the block back. */
  void unpinned(Pin pin) {
    if (tracker != null) {
      tracker.closed(pin);
    }
  }

  /** A block that is held was read because a client wanted it. */
  public void recordHit(Pin pin) {
    policy.recordHit(pin.entry());
  }

  // Bringing in.

  /**
   * Makes room for a block.
   *
   * @return a place, to be closed by the caller; or the reason why there is none
   */
  public Reservation reserve(
      String name, long offset, int length, byte type, boolean data, boolean inMemory) {
    while (true) {
      Reservation result;
      lock.lock();
      try {
        result = tryReserve(name, offset, length, type, data, inMemory);
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
      String name, long offset, int length, byte type, boolean data, boolean inMemory) {
    if (closed) {
      return Reservation.refused(Refusal.CLOSED);
    }
    takeBack();
    if (!extents.fits(length)) {
      return Reservation.refused(Refusal.TOO_LARGE);
    }
    CachedFile known = files.get(name);
    if (known != null && find(known, offset) != BlockTable.NONE) {
      return Reservation.refused(Refusal.PRESENT);
    }
    if (table.lacksSlab() && mayAskForSlab()) {
      return SLAB_FIRST;
    }
    long location = ExtentAllocator.NONE;
    try {
      location = extents.allocate(length);
      for (int i = 0; location == ExtentAllocator.NONE || noEntry(); i++) {
        if (i == EVICTIONS_AT_A_TIME) {
          return AGAIN;
        }
        if (!evictOne()) {
          return Reservation.refused(
              location == ExtentAllocator.NONE ? Refusal.NO_ROOM : Refusal.NO_ENTRY);
        }
        if (location == ExtentAllocator.NONE) {
          location = extents.allocate(length);
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
    return !slabRefused || System.nanoTime() - slabRefusedUntil >= 0;
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
                slabRefused = false;
                return true;
              });
        } catch (OutOfMemoryError e) {
          slabRefused(e);
        }
      }
    }
  }

  /** Memory that is full makes a cache of fewer blocks for a while, not a read that fails. */
  private void slabRefused(OutOfMemoryError e) {
    locked(
        () -> {
          slabRefused = true;
          slabRefusedUntil = System.nanoTime() + patienceNanos;
          return true;
        });
    if (!slabLogged) {
      slabLogged = true;
      LOG.warn(
          "No memory for the records of more than {} blocks; the cache asks again every {} s. Raise"
              + " -XX:MaxDirectMemorySize (HBASE_OFFHEAPSIZE) or make the cache smaller",
          entries.highest(),
          TimeUnit.NANOSECONDS.toSeconds(patienceNanos),
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

  /** Makes a record for a block whose memory is there; gives the memory back if that fails. */
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
        return Reservation.refused(Refusal.NO_ENTRY);
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
        takeBack();
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
      // It was removed before it was recorded, and the entry is the caller's until it is released.
      persistence.removed(entry);
    }
  }

  /** Takes away a block that was not published. */
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

  // Taking out.

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

  /** Takes out a block that is cached. */
  private void take(int entry) {
    policy.remove(entry);
    remove(entry);
  }

  /** The policy has forgotten it already. */
  private void remove(int entry) {
    boolean data = entries.isData(entry);
    int length = entries.length(entry);
    CachedFile file = files.get(entries.file(entry));
    boolean free = table.remove(entry);
    try {
      // After it is dead, so that a thread that fills it finds that out; before its memory is used
      // again.
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

  /** The memory of blocks that were removed while they were read, and are not read any more. */
  private void takeBack() {
    for (int entry = table.takeReclaimed(); entry != BlockEntries.NONE; ) {
      int next = table.nextReclaimed(entry);
      heldBytes = heldBytes - entries.length(entry);
      free(entry);
      entry = next;
    }
  }

  /** Takes back what readers have given back, which otherwise the next writer does. */
  public void reclaim() {
    lock.lock();
    try {
      takeBack();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out one block; readers that hold it go on. */
  public boolean evict(String name, long offset) {
    lock.lock();
    try {
      takeBack();
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

  /** Takes out the block that is held, by whichever name it was found; its readers go on. */
  public boolean evict(Pin pin) {
    lock.lock();
    try {
      boolean cached = table.isCached(pin.entry());
      if (cached) {
        take(pin.entry());
      }
      return cached;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes out the blocks of a file whose offsets are from {@code first} to {@code last}, a few at a
   * time; readers that hold one go on.
   *
   * @return how many
   */
  public int evict(String name, long first, long last) {
    CachedFile file = files.get(name);
    int removed = 0;
    int cursor = file == null ? BlockEntries.NONE : FROM_THE_START;
    while (cursor != BlockEntries.NONE) {
      lock.lock();
      try {
        takeBack();
        int seen = 0;
        // A block that came or went meanwhile may have moved the cursor's block out of the file.
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

  // Another size; by one thread at a time.

  /** Bytes of memory that take blocks. */
  public long capacity() {
    return extents.capacity();
  }

  /**
   * Adds memory. Readers and writers go on meanwhile. If this throws, nothing has changed.
   *
   * @param bytes of the whole cache
   * @param progress is told of each region that is reserved
   * @throws CacheConfigurationException if the memory cannot be had
   * @throws InterruptedException if the thread is interrupted, or by the progress
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
      giveWay();
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
   * Lets no more blocks into the last region, if the cache is not smaller than this without it.
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
        extents.reinstateRegion();
      }
    }
    return true;
  }

  /** Goes through the extents of a region that was retired or reinstated, a few at a time. */
  private void sweep() {
    while (locked(() -> extents.sweep(EXTENTS_AT_A_TIME))) {
      giveWay();
    }
  }

  /** The lock is not fair: a thread that takes it again at once would starve those that wait. */
  private void giveWay() {
    if (lock.hasQueuedThreads()) {
      LockSupport.parkNanos(GIVE_WAY_NANOS);
    }
  }

  /** Takes out the blocks in a region that is retired, a few at a time. */
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
      giveWay();
    }
  }

  /** Gives the memory of a retired region back, if no reader holds a block in it. */
  public boolean giveBackRetiredRegion() {
    lock.lock();
    try {
      takeBack();
      return extents.removeLastRegion();
    } finally {
      lock.unlock();
    }
  }

  /** Lets a retired region take blocks again. */
  public void reinstateRegion() {
    try {
      locked(
          () -> {
            boolean reinstated = extents.reinstateRegion();
            if (reinstated) {
              policy.resize(extents.capacity());
            }
            return reinstated;
          });
    } finally {
      sweep();
    }
  }

  // A restart.

  /** A block of an earlier process, as it was recorded. */
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

  /** At the start: all records below are in use until they are restored or left out. */
  public void beginRestore(int highest) {
    table.occupy(highest);
  }

  /** A record has no block of an earlier process. */
  public void leaveOut(int entry) {
    lock.lock();
    try {
      entries.free(entry);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a block of an earlier process is in one part. */
  public boolean isWhole(long location) {
    return extents.nextPart(location) == ExtentAllocator.NONE;
  }

  /**
   * Puts back a block of an earlier process whose memory the allocator has found to be its.
   *
   * @return false if its file has it already or there is no place in the index: then memory and
   *     record are free
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
      file.doubt();
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

  /** A time of day as it is kept in an entry. */
  private int cachedAt(long millis) {
    long ago = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis() - millis);
    return (int) Math.max(Integer.MIN_VALUE, secondsSinceStart() - Math.max(0, ago));
  }

  /** Lets nothing in again; takes out everything, unless the next process is to find it. */
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

  // What there is.

  /** The file of that name, to be looked at; null if no block of it is cached. */
  public CachedFile file(String name) {
    return files.get(name);
  }

  CachedFile file(int number) {
    return files.get(number);
  }

  /** The files of which blocks are cached, to be looked at. */
  public Collection<CachedFile> files() {
    return Collections.unmodifiableCollection(files.all());
  }

  /** Marks a file all of whose blocks are there. */
  public boolean markFullyCached(String name, int data, CachedFile.FullyCached fullyCached) {
    lock.lock();
    try {
      CachedFile file = files.get(name);
      boolean all = file != null && file.dataBlocks() == data;
      if (all) {
        file.fullyCached(fullyCached);
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

  /** Bytes of the blocks that are cached. */
  public long bytes() {
    return bytes;
  }

  public long dataBytes() {
    return dataBytes;
  }

  /** Bytes of blocks that left the cache while they were read, and are not given back yet. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Bytes of blocks that readers hold, also of blocks that left; see {@link PinnedBytes}. */
  public long pinnedBytes() {
    return heldBytes + pinned.look();
  }

  public long evicted() {
    return evicted;
  }

  long cachedAtNanos(int entry) {
    return start + TimeUnit.SECONDS.toNanos(entries.cachedAt(entry));
  }

  /** Bytes off the heap beside those for blocks. */
  public long metadataBytes() {
    return entries.bytes() + table.bytes() + policy.metadataBytes();
  }

  /** The policy, to be looked at. */
  public EvictionPolicy policy() {
    return policy;
  }

  /** Records that are in use: of blocks that are cached, or left and still held. */
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
   * @throws IllegalStateException or AssertionError if anything does not agree with anything else
   */
  public void validate() {
    lock.lock();
    try {
      takeBack();
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
