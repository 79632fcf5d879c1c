package org.fastpath.offheap.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.ClassSize;
import org.apache.hadoop.hbase.util.Pair;
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.DirectMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.fastpath.offheap.policy.AdaptiveLfuPolicy;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.DataBlockSource;
import org.fastpath.offheap.reader.HeldElsewhere;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.offheap.restart.BlockRecords;
import org.fastpath.offheap.restart.CacheFile;
import org.fastpath.offheap.restart.Restoration;
import org.fastpath.offheap.restart.WarmRestart;
import org.fastpath.offheap.store.BlockStore;
import org.fastpath.offheap.store.CacheResizer;
import org.fastpath.offheap.store.Persistence;
import org.fastpath.offheap.store.Pin;
import org.fastpath.offheap.store.PinTicket;
import org.fastpath.offheap.store.PinTracker;
import org.fastpath.offheap.store.RejectReason;
import org.fastpath.offheap.store.Reservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An off-heap second-level block cache in place of BucketCache. It holds data blocks, behind an
 * on-heap cache for index and Bloom filter blocks.
 *
 * <p>A RegionServer gets it by {@code hbase.regionserver.impl =
 * org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer}; see {@code
 * docs/features/block-cache.md} for the keys.
 *
 * <p>Thread-safe. {@link #getBlock} takes no lock and copies nothing. The returned block reads the
 * cache's memory and belongs to the caller until {@link Cacheable#release}. It stays valid after an
 * eviction, a closed file or a shut-down. {@link #cacheBlock} copies the block on the caller's
 * thread. It returns when readers can find the block or when it was rejected; a metric counts each
 * reason.
 *
 * <p>This class adapts {@link BlockStore} to HBase. Fields are private and transient because older
 * versions of HBase pass the object to Gson. Methods of only some supported versions of HBase have
 * no {@code @Override}, so that the class compiles against each.
 */
public final class OffHeapBlockCache
    implements BlockCache, ConfigurationObserver, HeapSize, DataBlockSource {
  private static final Logger LOG = LoggerFactory.getLogger(OffHeapBlockCache.class);

  private static final ByteBuffer NO_INDEX = ByteBuffer.allocate(0);

  /** The part of the cache that a prefetch fills, as by default with BucketCache. */
  private static final double SHARE_FOR_PREFETCH = 0.95;

  private static final long HEAP_PER_FILE =
      ClassSize.estimateBase(CachedFile.class, false)
          + 2 * ClassSize.CONCURRENT_HASHMAP_ENTRY
          + ClassSize.INTEGER
          + ClassSize.STRING
          + ClassSize.align(ClassSize.ARRAY + 32);

  private final transient CacheOptions options;
  private final transient CacheMemory memory;
  private final transient ExtentAllocator extents;
  private final transient BlockStore store;
  private final transient CacheResizer resizer;
  private final transient BlockCodec codec;
  private final transient PinTicket.Maker<SelfPinnedBlock> dataBlocks;
  private final transient CacheStats stats;
  private final transient CacheMetrics metrics;
  private final transient PinTracker tracker;

  /** The bean that names readers, in debug mode with published metrics; otherwise null. */
  private transient volatile PinHolders holders;

  /** The file of the cache with its restored blocks, or null. */
  private final transient CacheFile file;

  private final transient Restoration restoration;
  private final transient WarmRestart warm;

  private OffHeapBlockCache(CacheOptions options, MemoryAllocator allocator) {
    this.options = options;
    file = options.file() == null ? null : CacheFile.open(options.file(), options.fileLayout());
    BlockRecords records = file == null ? null : new BlockRecords(file);
    restoration = file == null ? null : Restoration.of(file, records);
    memory = file == null ? CacheMemory.direct(options.size(), options.regionBytes()) : file.data();
    extents =
        restoration == null
            ? new ExtentAllocator(memory, options.debug())
            : ExtentAllocator.rebuild(memory, options.debug(), restoration);
    tracker = options.debug() ? new PinTracker() : null;
    store =
        new BlockStore.Parts(extents, AdaptiveLfuPolicy::new, options::blocks)
            .inMemoryShare(options.inMemoryShare())
            .persistence(records == null ? Persistence.NONE : records)
            .tracker(tracker)
            .allocator(allocator)
            .store();
    resizer = new CacheResizer(store, options.size());
    codec = new BlockCodec();
    dataBlocks = this::dataBlock;
    stats = new CacheCounts("OffHeapBlockCache");
    metrics = new CacheMetrics(this);
    warm = file == null ? null : new WarmRestart(store, records, metrics);
    store.onEviction(this::evicted);
    if (restoration != null) {
      restoration.restore(store, BlockCodec.FIRST_POOLED);
    }
  }

  /**
   * Reserves and touches the memory that the configuration asks for.
   *
   * @throws CacheConfigurationException (an IllegalArgumentException) naming the key and the
   *     allowed values, if a value is wrong or the memory is not available
   */
  public static OffHeapBlockCache create(Configuration conf) {
    return create(conf, MemoryAllocator.DIRECT);
  }

  /** Makes a cache with another allocator for the memory of entries; for tests. */
  static OffHeapBlockCache create(Configuration conf, MemoryAllocator allocator) {
    CacheOptions options = CacheOptions.of(conf);
    OffHeapBlockCache cache;
    try {
      cache = new OffHeapBlockCache(options, allocator);
    } catch (OutOfMemoryError e) {
      throw new CacheConfigurationException(DirectMemory.refusal(options.size()), e);
    }
    LOG.info(
        "Off-heap block cache of {} bytes for up to {} blocks, in-memory share {}{}{}",
        options.size(),
        options.blocks(options.size()),
        options.inMemoryShare(),
        options.file() == null ? "" : ", in " + options.file(),
        options.debug() ? ", debug mode" : "");
    return cache;
  }

  // Readers.

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Pin pin = pin(key.getHfileName(), key.getOffset());
    Cacheable block = pin == null ? null : read(key, pin, caching);
    if (block == null) {
      MemoryOnly.miss();
    }
    boolean given = false;
    try {
      if (updateCacheMetrics) {
        count(key, caching, repeat, block != null);
      }
      given = true;
    } finally {
      if (!given && block != null) {
        block.release();
      }
    }
    return block;
  }

  @Override
  public HFileBlock dataBlock(String file, long offset, boolean caching, boolean primary) {
    SelfPinnedBlock block = null;
    boolean given = false;
    try {
      block = find(file, offset, dataBlocks);
      if (block != null) {
        if (caching) {
          store.recordHit(block.entry());
        }
        stats.hit(caching, primary, block.getBlockType());
        given = true;
      }
      return block;
    } catch (RuntimeException | InternalError e) {
      // A reader that misses then asks by the key, which counts the miss and evicts the block.
      return null;
    } finally {
      if (!given && block != null) {
        block.release();
      }
    }
  }

  @Override
  public void drop(String file, long offset) {
    try (Pin pin = find(file, offset)) {
      if (pin != null) {
        store.evict(pin);
      }
    }
  }

  @Override
  public long cachedBytes(String file) {
    CachedFile cached = store.file(file);
    return cached == null ? 0 : cached.bytes();
  }

  /** Pins a block that may be served. Returns null if it is missing or not verified. */
  private Pin pin(String file, long offset) {
    Pin pin = find(file, offset);
    if (warm == null || pin == null) {
      return pin;
    }
    boolean trusted = false;
    try {
      trusted = warm.isTrusted(pin);
    } finally {
      if (!trusted) {
        pin.release();
      }
    }
    return trusted ? pin : null;
  }

  private SelfPinnedBlock dataBlock(PinTicket ticket) {
    return warm == null || warm.isTrusted(ticket) ? codec.dataBlock(ticket) : null;
  }

  private Pin find(String name, long offset) {
    return find(name, offset, PinTicket.PIN);
  }

  private <P> P find(String name, long offset, PinTicket.Maker<P> maker) {
    P pin = store.pin(name, offset, maker);
    // Pins a block of a reference: a daughter region reads the blocks of its parent's file.
    String referred = pin == null ? referred(name) : null;
    return referred == null ? pin : store.pin(referred, offset, maker);
  }

  /** Returns the name of the file that a reference refers to; null for another file. */
  private static String referred(String name) {
    return name.indexOf('.') >= 0 && StoreFileInfo.isReference(name)
        ? name.substring(0, name.lastIndexOf('.'))
        : null;
  }

  /** Makes a block that holds the pin, or releases the pin after a failure. */
  private Cacheable read(BlockCacheKey key, Pin pin, boolean caching) {
    boolean held = false;
    try {
      Cacheable block = codec.read(pin);
      if (caching) {
        store.recordHit(pin.entry());
      }
      held = BlockCodec.holdsPin(pin);
      return block;
    } catch (IOException | RuntimeException | InternalError e) {
      metrics.unreadable(key, e);
      store.evict(pin);
      return null;
    } finally {
      if (!held) {
        pin.release();
      }
    }
  }

  private void count(BlockCacheKey key, boolean caching, boolean repeat, boolean hit) {
    if (hit) {
      stats.hit(caching, key.isPrimary(), key.getBlockType());
    } else if (!repeat) {
      stats.miss(caching, key.isPrimary(), key.getBlockType());
    }
  }

  // Writers.

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory, boolean wait) {
    cacheBlock(key, block, inMemory);
  }

  /** Caches a block. A failure is counted, and the caller continues with its own block. */
  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    long begin = System.nanoTime();
    RejectReason refusal = RejectReason.FAILED;
    try {
      refusal = tryToCache(key, block, inMemory);
    } catch (RuntimeException | Error e) {
      metrics.failed(key, e);
    }
    if (refusal == null) {
      metrics.filled(System.nanoTime() - begin);
    } else {
      refused(key, block, refusal);
    }
    // A block that is cached compressed may not be the one that HBase goes on with.
    if (inMemory && block instanceof HFileBlock read && read.isUnpacked()) {
      PrefetchPass.wasRead(read, this::isHeld);
    }
  }

  /** Tries to cache a block. Returns the reason of a rejection; null if it was cached. */
  private RejectReason tryToCache(BlockCacheKey key, Cacheable block, boolean inMemory) {
    if (isHeldElsewhere(key, block)) {
      return RejectReason.HELD_ELSEWHERE;
    }
    boolean verbatim = BlockCodec.isVerbatim(key, block);
    ByteBuffer index = verbatim && options.indexed() ? index(key, (HFileBlock) block) : NO_INDEX;
    if (warm != null && verbatim) {
      compareWithRestored(key, (HFileBlock) block);
    }
    try (Reservation place = reserve(key, block, verbatim, index.remaining(), inMemory)) {
      if (place.refusal() == null) {
        codec.write(block, verbatim, index, key.isPrimary(), place);
        if (warm != null) {
          warm.record(place, inMemory);
        }
        place.publish();
        reportRegion(key, place.file());
      }
      return place.refusal();
    }
  }

  /** Reports the region of a file once it is known: a restored file has none. */
  private void reportRegion(BlockCacheKey key, CachedFile cached) {
    String region = cached == null || cached.hasRegion() ? null : KeyRegion.of(key);
    if (region != null) {
      store.region(cached.name(), region);
    }
  }

  private static boolean isHeldElsewhere(BlockCacheKey key, Cacheable block) {
    return block.getBlockType().isData()
        && HeldElsewhere.size(key.getHfileName(), key.getOffset()) > 0;
  }

  private ByteBuffer index(BlockCacheKey key, HFileBlock block) {
    try {
      return BlockIndexer.ofThread().index(block);
    } catch (RuntimeException e) {
      metrics.unindexed(key, e);
      return NO_INDEX;
    }
  }

  private Reservation reserve(
      BlockCacheKey key, Cacheable block, boolean verbatim, int index, boolean inMemory) {
    int length = BlockCodec.length(block, verbatim, index);
    return store.reserve(
        key.getHfileName(),
        key.getOffset(),
        length,
        BlockCodec.lengthWithoutIndex(length, block, index),
        BlockCodec.type(block),
        block.getBlockType().isData(),
        inMemory);
  }

  private void compareWithRestored(BlockCacheKey key, HFileBlock block) {
    try (Pin cached = find(key.getHfileName(), key.getOffset())) {
      if (cached != null && WarmRestart.isRestored(cached) && !isConfirmedFor(cached)) {
        codec.allocatorOf(block);
        // A prefetch may hand over a block unpacked that was cached compressed, or the reverse.
        boolean conclusive =
            !PrefetchPass.isPrefetch() || block.isUnpacked() && BlockCodec.isUnpacked(cached);
        warm.compare(cached, () -> BlockCodec.isSame(cached, block), conclusive);
      }
    }
  }

  /** Whether this thread prefetches a file that is confirmed, so its blocks may stay. */
  private static boolean isConfirmedFor(Pin cached) {
    CachedFile of = PrefetchPass.isPrefetch() ? cached.file() : null;
    return of != null && of.isConfirmed();
  }

  private void refused(BlockCacheKey key, Cacheable block, RejectReason why) {
    metrics.refused(why);
    if (why == RejectReason.HELD_ELSEWHERE) {
      return;
    }
    if (why != RejectReason.PRESENT) {
      stats.failInsert();
    } else if (!PrefetchPass.isPrefetch()) {
      compareWithCached(key, block);
    }
  }

  /**
   * Applies HBase's rule for a block that is already cached. Other contents cause an exception.
   * Equal contents stay, but the size of the next block may be known to only one of the two
   * (HBASE-20447).
   */
  private void compareWithCached(BlockCacheKey key, Cacheable block) {
    try (Pin pin = store.pin(key.getHfileName(), key.getOffset())) {
      if (pin != null) {
        pin.addHolder();
        compareWithCached(key, block, pin);
      }
    }
  }

  private void compareWithCached(BlockCacheKey key, Cacheable block, Pin pin) {
    Cacheable cached = read(key, pin, false);
    if (cached == null) {
      return;
    }
    try {
      if (BlockCacheUtil.validateBlockAddition(cached, block, key) < 0
          && BlockCodec.isVerbatim(key, block)) {
        pin.nextBlockOnDiskSize(BlockCodec.nextBlockOnDiskSize((HFileBlock) block));
      }
    } finally {
      cached.release();
    }
  }

  // Eviction.

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return store.evict(key.getHfileName(), key.getOffset());
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return store.evict(hfileName, 0, Long.MAX_VALUE);
  }

  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    return store.evict(hfileName, initOffset, endOffset);
  }

  private void evicted(long cachedAtNanos, int flags) {
    stats.evict();
    stats.evicted(cachedAtNanos, !BlockFlags.has(flags, BlockFlags.SECONDARY));
  }

  /**
   * Evicts all blocks and rejects new ones. Pinned blocks stay until their release. A cache in a
   * file keeps its blocks, and the file, until the process ends.
   */
  @Override
  public void shutdown() {
    resizer.close();
    store.close();
    metrics.close();
    PinHolders shown = holders;
    if (shown != null) {
      shown.close();
    }
  }

  /**
   * Shuts down and releases all memory and the file at once. The caller ensures that no thread
   * holds a block or calls this cache again.
   */
  void close() {
    shutdown();
    memory.close();
    if (file != null) {
      file.close();
    }
  }

  CacheMetrics metrics() {
    return metrics;
  }

  long restoredBlocks() {
    return restoration == null ? 0 : restoration.blocks();
  }

  long refusedRecords() {
    return restoration == null ? 0 : restoration.refused();
  }

  long restoredBytes() {
    return restoration == null ? 0 : restoration.bytes();
  }

  // Prefetch.

  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    boolean held = isHeld(key.getHfileName(), key.getOffset());
    return Optional.of(PrefetchPass.maySkip(key.getHfileName(), key.getOffset(), held));
  }

  /** Whether a block is in memory, here or in a mapped replica. */
  private boolean isHeld(String file, long offset) {
    try (Pin pin = pin(file, offset)) {
      return pin != null || HeldElsewhere.size(file, offset) > 0;
    }
  }

  public Optional<Integer> getBlockSize(BlockCacheKey key) {
    try (Pin pin = pin(key.getHfileName(), key.getOffset())) {
      int size =
          pin == null
              ? HeldElsewhere.size(key.getHfileName(), key.getOffset())
              : BlockCodec.onDiskSizeWithHeader(pin);
      return size == 0 ? Optional.empty() : Optional.of(size);
    }
  }

  /**
   * HBase asks of a block that it has prefetched, unless the family is IN_MEMORY. If the answer is
   * no, it ends the prefetch of the file, which would displace what is read.
   */
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    PrefetchPass.wasRead(block, this::isHeld);
    long used = getCurrentSize() + block.getOnDiskSizeWithHeader();
    return Optional.of(used < SHARE_FOR_PREFETCH * getMaxSize());
  }

  public Optional<Boolean> shouldCacheFile(HFileInfo info, Configuration conf) {
    return Optional.of(
        DataTiering.isHot(info, conf) && shouldCache(info.getHFileContext().getHFileName()));
  }

  /** Returns the signature of HBase 2.6.1. */
  public Optional<Boolean> shouldCacheFile(String fileName) {
    return Optional.of(shouldCache(fileName));
  }

  private boolean shouldCache(String fileName) {
    return !isFullyCached(fileName, fileName) && !isFullyCached(referred(fileName), fileName);
  }

  private boolean isFullyCached(String fileName, String prefetched) {
    CachedFile cached = fileName == null ? null : store.file(fileName);
    return cached != null && cached.fullyCached().containsKey(prefetched);
  }

  public Optional<Boolean> shouldCacheBlock(
      BlockCacheKey key, long maxTimeStamp, Configuration conf) {
    return Optional.of(DataTiering.isHot(maxTimeStamp, conf));
  }

  public void notifyFileCachingCompleted(Path file, int blocks, int dataBlocks, long size) {
    String name = file.getName();
    String region = file.getParent().getParent().getName();
    store.region(name, region);
    // A reference has the blocks of its parent's file, unless it has some of its own.
    String referred = store.file(name) == null ? referred(name) : null;
    String cached = referred == null ? name : referred;
    CachedFile.FullyCached fullyCached = new CachedFile.FullyCached(region, size);
    if (!store.markFullyCached(cached, name, dataBlocks, fullyCached)) {
      LOG.debug(
          "File {} was prefetched, but the cache has no room for all of its {} blocks",
          name,
          dataBlocks);
    }
  }

  public Optional<Map<String, Pair<String, Long>>> getFullyCachedFiles() {
    Map<String, Pair<String, Long>> fullyCached = new HashMap<>();
    for (CachedFile cached : store.files()) {
      cached
          .fullyCached()
          .forEach((name, all) -> fullyCached.put(name, Pair.newPair(all.region(), all.bytes())));
    }
    return Optional.of(fullyCached);
  }

  /** Returns a live view of the bytes of cached blocks by the encoded name of the region. */
  public Optional<Map<String, Long>> getRegionCachedInfo() {
    return Optional.of(store.regionBytes());
  }

  // State of the cache.

  @Override
  public CacheStats getStats() {
    return stats;
  }

  @Override
  public long size() {
    return store.bytes();
  }

  @Override
  public long getMaxSize() {
    return extents.capacity();
  }

  @Override
  public long getFreeSize() {
    return extents.freeBytes();
  }

  @Override
  public long getCurrentSize() {
    return extents.capacity() - extents.freeBytes();
  }

  @Override
  public long getCurrentDataSize() {
    return store.dataBytes();
  }

  @Override
  public long getBlockCount() {
    return store.blocks();
  }

  @Override
  public long getDataBlockCount() {
    return store.dataBlocks();
  }

  /** Returns the heap size of the cache, which depends on the number of files, not of blocks. */
  @Override
  public long heapSize() {
    return HEAP_PER_FILE * fileCount();
  }

  /** Returns the number of readers that hold a block; 0 if it is not cached. */
  int readers(BlockCacheKey key) {
    try (Pin pin = pin(key.getHfileName(), key.getOffset())) {
      return pin == null ? 0 : pin.otherPins();
    }
  }

  int fileCount() {
    return store.files().size();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return new Blocks();
  }

  /** Iterates over all cached blocks. Each is pinned only while its record is copied. */
  private final class Blocks implements Iterator<CachedBlock> {
    private int entry;
    private CachedBlock next = advance();

    private CachedBlock advance() {
      try (Pin pin = store.pinFrom(entry)) {
        if (pin == null) {
          return null;
        }
        entry = pin.entry() + 1;
        CachedFile file = pin.file();
        return new CachedBlockView(
            file == null ? "" : file.name(),
            pin.offset(),
            pin.length(),
            pin.cachedAtNanos(),
            BlockCodec.type(pin),
            BlockPriority.MULTI);
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public CachedBlock next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      CachedBlock block = next;
      next = advance();
      return block;
    }
  }

  /** Returns null, because this cache is itself a part of a combined cache. */
  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  /** Applies a new size to the running cache. All other keys need a restart. */
  @Override
  public void onConfigurationChange(Configuration conf) {
    try {
      long size = CacheOptions.size(conf);
      if (file == null) {
        resizer.resize(size);
      } else if (size != options.size()) {
        LOG.error(
            "{} is {}, but only a restart changes the size of a cache in a file ({}). The cache is"
                + " empty after that. Until then it keeps its {} bytes",
            CacheOptions.SIZE,
            size,
            file.path(),
            options.size());
      }
    } catch (CacheConfigurationException e) {
      LOG.error(
          "The off-heap block cache keeps its size because the new configuration is wrong", e);
    }
  }

  CacheResizer resizer() {
    return resizer;
  }

  /**
   * Publishes the metrics of the cache and, in debug mode, the holders of its blocks. A
   * RegionServer has one such cache.
   */
  public void publishMetrics() {
    metrics.register();
    if (tracker != null) {
      holders = PinHolders.register(tracker);
    }
  }

  BlockStore store() {
    return store;
  }

  ExtentAllocator extents() {
    return extents;
  }

  /** Returns, in debug mode, the call sites of unreleased blocks; otherwise empty. */
  public List<Throwable> leaks() {
    return tracker == null ? List.of() : tracker.sites();
  }
}
