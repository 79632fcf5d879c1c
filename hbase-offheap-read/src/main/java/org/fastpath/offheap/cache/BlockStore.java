package org.fastpath.offheap.cache;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.LongToIntFunction;

/**
 * The cache without HBase: blocks by file and offset in memory of a fixed size, found and held
 * without a lock, brought in and taken out under one.
 *
 * <p><b>One lock, for writers.</b> Index, free memory and eviction order change together, and a
 * step of all that takes about a microsecond, while a miss reads a disk and copying a block of 64
 * KiB takes ten times as long; copying happens outside the lock. So a lock a shard would buy
 * nothing but shards that fill unevenly. What must never wait is a reader: it finds blocks ({@link
 * BlockTable}), counts hits ({@link EvictionPolicy#recordHit}) and gives blocks back without it.
 *
 * <p><b>Room is made by who needs it</b>, one victim at a time, as many as the block needs, and the
 * lock is given away now and then: there is no eviction thread, no watermark, and no queue that
 * could be full.
 *
 * <p><b>Bringing in a block</b> is {@link #reserve}, filling it, {@link #publish} and {@link
 * #release}. Until it is published, readers do not see it and a second thread with the same block
 * is sent away.
 */
final class BlockStore {
  /** Victims after which a caller that needs much room lets others have the lock. */
  private static final int EVICTIONS_AT_A_TIME = 32;

  /** Entries that are looked at before others have the lock. */
  private static final int ENTRIES_AT_A_TIME = 256;

  /** Not a ticket and no refusal: the lock was given away, begin again. */
  private static final int AGAIN = Integer.MIN_VALUE;

  /** Where a walk over the blocks of a file begins. */
  private static final int FROM_THE_START = Integer.MIN_VALUE;

  private final Entries entries;
  private final ExtentAllocator extents;
  private final EvictionPolicy policy;
  private final LongToIntFunction entriesFor;
  private final BlockRecords records;
  private final BlockTable table;
  private final CachedFiles files = new CachedFiles();
  private final ReentrantLock lock = new ReentrantLock();
  private final long start = System.nanoTime();

  private final IntPredicate evictable = this::isEvictable;
  private EvictionListener listener = entry -> {};
  private boolean closed;

  private volatile long blocks;
  private volatile long dataBlocks;
  private volatile long bytes;
  private volatile long dataBytes;
  private volatile long evicted;

  /** Bytes of blocks that are not in the cache any more and still read. */
  private volatile long heldBytes;

  /** Is told of each block that had to leave for another one, under the lock. */
  @FunctionalInterface
  interface EvictionListener {
    void evicted(int entry);
  }

  /**
   * @param entriesFor how many blocks there can be in so many bytes
   * @param records where blocks are recorded for the next process, or null
   */
  BlockStore(
      Entries entries,
      ExtentAllocator extents,
      EvictionPolicy policy,
      LongToIntFunction entriesFor,
      BlockRecords records) {
    this.entriesFor = entriesFor;
    this.records = records;
    this.entries = entries;
    this.extents = extents;
    this.policy = policy;
    this.table = new BlockTable(entries, number -> files.get(number).hash());
  }

  void onEviction(EvictionListener listener) {
    this.listener = listener;
  }

  // Readers.

  /** Finds a block and holds it; a ticket for {@link #release}, or {@link BlockTable#NONE}. */
  int acquire(String name, long offset) {
    CachedFile file = files.get(name);
    return file == null
        ? BlockTable.NONE
        : table.acquire(file.number(), offset, BlockTable.hash(file.hash(), offset));
  }

  /** A block that is held was read because somebody wanted it. */
  void recordHit(int entry) {
    policy.recordHit(entry);
  }

  void release(int ticket) {
    table.release(ticket);
  }

  // Bringing in.

  /**
   * Makes room for a block. The entry has its key, length, location and type then.
   *
   * @return a ticket that the caller must {@link #release}, after {@link #publish} or {@link
   *     #abandon}; or the {@link Refusal#code} why not
   */
  int reserve(String name, long offset, int length, byte type, boolean data, boolean inMemory) {
    if (length <= 0 || !extents.fits(length)) {
      return Refusal.TOO_LARGE.code();
    }
    while (true) {
      lock.lock();
      try {
        int result = tryReserve(name, offset, length, type, data, inMemory);
        if (result != AGAIN) {
          return result;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private int tryReserve(
      String name, long offset, int length, byte type, boolean data, boolean inMemory) {
    if (closed) {
      return Refusal.CLOSED.code();
    }
    takeBack();
    CachedFile known = files.get(name);
    if (known != null && find(known, offset) != BlockTable.NONE) {
      return Refusal.PRESENT.code();
    }
    long location = extents.allocate(length);
    for (int i = 0; location == ExtentAllocator.NONE || noEntry(); i++) {
      if (i == EVICTIONS_AT_A_TIME || !evictOne()) {
        if (location != ExtentAllocator.NONE) {
          extents.free(location);
        }
        return i == EVICTIONS_AT_A_TIME ? AGAIN : Refusal.NO_ROOM.code();
      }
      if (location == ExtentAllocator.NONE) {
        location = extents.allocate(length);
      }
    }
    return add(intern(name), offset, length, location, type, data, inMemory);
  }

  private CachedFile intern(String name) {
    CachedFile file = files.intern(name);
    if (records != null && file.blocks() == 0) {
      records.name(file);
    }
    return file;
  }

  private void removeIfEmpty(CachedFile file) {
    files.removeIfEmpty(file);
    if (records != null && file.blocks() == 0) {
      records.forget(file);
    }
  }

  private boolean noEntry() {
    return entries.inUse() >= entries.capacity();
  }

  private int find(CachedFile file, long offset) {
    return table.find(file.number(), offset, BlockTable.hash(file.hash(), offset));
  }

  private int add(
      CachedFile file,
      long offset,
      int length,
      long location,
      byte type,
      boolean data,
      boolean inMemory) {
    long hash = BlockTable.hash(file.hash(), offset);
    int ticket = table.reserve(file.number(), offset, hash);
    if (ticket == BlockTable.NONE) {
      extents.free(location);
      removeIfEmpty(file);
      return Refusal.NO_ENTRY.code();
    }
    int entry = BlockTable.Ticket.entry(ticket);
    entries.length(entry, length);
    entries.location(entry, location);
    entries.type(entry, type, data);
    entries.cachedAt(entry, secondsSinceStart());
    admit(file, entry, data, inMemory);
    return ticket;
  }

  private void admit(CachedFile file, int entry, boolean data, boolean inMemory) {
    file.add(entries, entry, data);
    policy.add(entry, inMemory);
    count(1, entries.length(entry), data);
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

  /** Shows a filled block to readers, unless it was evicted before it was there. */
  void publish(int ticket) {
    int entry = BlockTable.Ticket.entry(ticket);
    if (!table.publish(entry) && records != null) {
      // It was cleared before it was written, and the entry is the caller's until it is released.
      records.clear(entry);
    }
  }

  /** Takes away a block that could not be filled. */
  void abandon(int ticket) {
    int entry = BlockTable.Ticket.entry(ticket);
    lock.lock();
    try {
      if (table.isFilling(entry)) {
        policy.remove(entry);
        remove(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  // Taking out.

  private boolean evictOne() {
    int victim = policy.evict(evictable);
    if (victim == Entries.NONE) {
      return false;
    }
    evicted = evicted + 1;
    listener.evicted(victim);
    remove(victim);
    return true;
  }

  private boolean isEvictable(int entry) {
    return table.isLive(entry) && !table.isHeld(entry);
  }

  /** The policy has forgotten it already. */
  private void remove(int entry) {
    boolean data = entries.isData(entry);
    int length = entries.length(entry);
    CachedFile file = files.get(entries.file(entry));
    boolean free = table.remove(entry);
    if (records != null) {
      // After it is dead, so that who fills it finds that out; before its memory is used again.
      records.clear(entry);
    }
    file.remove(entries, entry, data);
    removeIfEmpty(file);
    count(-1, length, data);
    if (free) {
      free(entry);
    } else {
      heldBytes = heldBytes + length;
    }
  }

  private void free(int entry) {
    extents.free(entries.location(entry));
    table.free(entry);
  }

  /** The memory of blocks that were removed while they were read, and are not read any more. */
  private void takeBack() {
    for (int entry = table.takeReclaimed(); entry != Entries.NONE; ) {
      int next = table.nextReclaimed(entry);
      heldBytes = heldBytes - entries.length(entry);
      free(entry);
      entry = next;
    }
  }

  /** Takes back what readers have given back, which otherwise the next writer does. */
  void reclaim() {
    lock.lock();
    try {
      takeBack();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out one block; readers that hold it go on. */
  boolean evict(String name, long offset) {
    lock.lock();
    try {
      takeBack();
      CachedFile file = files.get(name);
      int entry = file == null ? BlockTable.NONE : find(file, offset);
      if (entry == BlockTable.NONE) {
        return false;
      }
      policy.remove(entry);
      remove(entry);
      return true;
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
  int evict(String name, long first, long last) {
    CachedFile file = files.get(name);
    int removed = 0;
    int cursor = file == null ? Entries.NONE : FROM_THE_START;
    while (cursor != Entries.NONE) {
      lock.lock();
      try {
        takeBack();
        int seen = 0;
        // A block that came or went meanwhile may have moved the cursor's block out of the file.
        cursor = cursor == FROM_THE_START || !isOf(file, cursor) ? file.first() : cursor;
        while (cursor != Entries.NONE && seen++ < EVICTIONS_AT_A_TIME) {
          int next = entries.fileNext(cursor);
          if (entries.offset(cursor) >= first && entries.offset(cursor) <= last) {
            policy.remove(cursor);
            remove(cursor);
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
    return isCached(entry) && entries.file(entry) == file.number();
  }

  private boolean isCached(int entry) {
    return table.isLive(entry) || table.isFilling(entry);
  }

  // Another size; by one thread at a time.

  /** Bytes of memory that take blocks. */
  long capacity() {
    return extents.capacity();
  }

  /**
   * Adds memory.
   *
   * @throws CacheConfigurationException if it cannot be had
   */
  void grow(long bytes) {
    lock.lock();
    try {
      extents.addRegions(bytes - extents.capacity());
      entries.grow(entriesFor.applyAsInt(extents.capacity()));
      table.grow();
      policy.resize(extents.capacity());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets no more blocks into the last region, if the cache is not smaller than this without it.
   *
   * @return whether there is such a region
   */
  boolean retireRegion(long bytes) {
    lock.lock();
    try {
      if (extents.capacity() - extents.lastRegionBytes() < bytes || !extents.retireLastRegion()) {
        return false;
      }
      policy.resize(extents.capacity());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes out the blocks in a region that is retired, a few at a time. */
  void emptyRetiredRegion() {
    for (int entry = 0; entry < entries.highest(); ) {
      lock.lock();
      try {
        for (int i = 0; i < ENTRIES_AT_A_TIME && entry < entries.highest(); i++, entry++) {
          if (isCached(entry) && extents.inRetiredRegion(entries.location(entry))) {
            policy.remove(entry);
            remove(entry);
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Gives the memory of a retired region back, if no reader holds a block in it. */
  boolean giveBackRetiredRegion() {
    lock.lock();
    try {
      takeBack();
      return extents.removeLastRegion();
    } finally {
      lock.unlock();
    }
  }

  void reinstateRegion() {
    lock.lock();
    try {
      extents.reinstateRegion();
      policy.resize(extents.capacity());
    } finally {
      lock.unlock();
    }
  }

  // A restart.

  /**
   * Puts back a block of an earlier process whose memory the allocator has found to be its. Its
   * entry is in use and has its length, location and type.
   *
   * @return false if the file has it already or there is no place in the index: its memory is free
   */
  boolean restore(int entry, String name, int slot, long offset, boolean inMemory) {
    lock.lock();
    try {
      CachedFile file = files.intern(name);
      if (!place(file, entry, slot, offset)) {
        extents.free(entries.location(entry));
        files.removeIfEmpty(file);
        return false;
      }
      file.doubt();
      records.occupy(file, slot);
      admit(file, entry, entries.isData(entry), inMemory);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean place(CachedFile file, int entry, int slot, long offset) {
    return (file.blocks() == 0 || file.slot() == slot)
        && find(file, offset) == BlockTable.NONE
        && table.restore(entry, file.number(), offset, BlockTable.hash(file.hash(), offset));
  }

  /** A time of day as it is kept in an entry. */
  int cachedAt(long millis) {
    long ago = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis() - millis);
    return (int) Math.max(Integer.MIN_VALUE, secondsSinceStart() - Math.max(0, ago));
  }

  /** Lets nothing in again; takes out everything, unless the next process is to find it. */
  void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    if (records == null) {
      evictAll();
    }
  }

  private void evictAll() {
    for (CachedFile file : files.all()) {
      evict(file.name(), 0, Long.MAX_VALUE);
    }
  }

  // What there is.

  CachedFiles files() {
    return files;
  }

  Entries entries() {
    return entries;
  }

  BlockTable table() {
    return table;
  }

  /** Marks a file all of whose blocks are there. */
  boolean markFullyCached(String name, int data, CachedFile.FullyCached fullyCached) {
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

  long blocks() {
    return blocks;
  }

  long dataBlocks() {
    return dataBlocks;
  }

  /** Bytes of the blocks that are cached. */
  long bytes() {
    return bytes;
  }

  long dataBytes() {
    return dataBytes;
  }

  /** Bytes of blocks that left the cache while they were read, and are not given back yet. */
  long heldBytes() {
    return heldBytes;
  }

  /** Bytes that readers hold, also of blocks that left; looks at every entry. */
  long pinnedBytes() {
    long pinned = heldBytes;
    for (int entry = 0; entry < entries.highest(); entry++) {
      // In this order: a new entry may have no counters yet, one that is live has.
      if (table.isLive(entry) && table.isHeld(entry)) {
        pinned += entries.length(entry);
      }
    }
    return pinned;
  }

  long evicted() {
    return evicted;
  }

  /** When a block came, as a {@link System#nanoTime}, to the second. */
  long cachedAtNanos(int entry) {
    return start + TimeUnit.SECONDS.toNanos(entries.cachedAt(entry));
  }

  /** Bytes off the heap beside those for blocks. */
  long metadataBytes() {
    return entries.bytes() + table.bytes() + policy.metadataBytes();
  }
}
