package org.fastpath.offheap.cache;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.policy.EvictionPolicy;
import org.fastpath.offheap.restart.WarmRestart;
import org.fastpath.offheap.store.BlockStore;
import org.fastpath.offheap.store.CacheResizer;
import org.fastpath.offheap.store.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cache as the source {@code OffHeapCache}. What HBase counts in {@link CacheStats} is shown
 * from there, and what changes under the cache's lock is read from its fields: only what nobody
 * else counts is counted here.
 */
final class CacheMetrics implements WarmRestart.Events {
  private static final Logger LOG = LoggerFactory.getLogger(CacheMetrics.class);

  private final SourceBuilder builder =
      Metrics.source("OffHeapCache", "The off-heap second-level block cache");
  private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
  private final Histogram fill;
  private final Counter unreadable;
  private final Counter unindexed;
  private final Counter damaged;
  private final Counter changed;
  private final AtomicBoolean logged = new AtomicBoolean();
  private Registration registration;

  CacheMetrics(OffHeapBlockCache cache) {
    BlockStore store = cache.store();
    fromStats(cache.getStats());
    fromPolicy(store.policy());
    builder.counter("evictedBlockCount", "Blocks that left for other blocks", store::evicted);
    builder.gauge("cachedBlockCount", "Blocks that are cached", store::blocks);
    builder.gauge("cachedFileCount", "Files of which blocks are cached", cache::fileCount);
    builder.gauge("cachedBytes", "Bytes of the blocks that are cached", store::bytes);
    builder.gauge(
        "pinnedBytes", "Bytes of blocks that readers hold, cached or not", store::pinnedBytes);
    builder.gauge(
        "evictedPinnedBytes",
        "Bytes of blocks that left the cache while readers held them, not yet given back",
        store::heldBytes);
    builder.gauge("metadataBytes", "Memory for index and entries", store::metadataBytes);
    memory(cache.extents());
    CacheResizer resizer = cache.resizer();
    builder.gauge(
        "resizeTargetBytes",
        "Size that the cache is being changed to; 0 while it is not",
        resizer::target);
    builder.gauge(
        "resizeReservedBytes",
        "Memory that was reserved so far for the change of size under way",
        resizer::reserved);
    for (Refusal refusal : Refusal.values()) {
      refusals.put(refusal, builder.counter(refusal.metric(), refusal.description()));
    }
    unreadable =
        builder.counter("unreadableBlockCount", "Cached blocks that were taken for misses");
    unindexed =
        builder.counter(
            "unindexedBlockCount", "Blocks that could not be indexed, and are searched by walking");
    builder.gauge(
        "restoredBlockCount", "Blocks of an earlier process at the start", cache::restoredBlocks);
    builder.gauge("restoredBytes", "Bytes of these blocks", cache::restoredBytes);
    builder.gauge(
        "refusedRecordCount",
        "Records of blocks that were not whole at the start",
        cache::refusedRecords);
    damaged =
        builder.counter(
            "damagedBlockCount", "Blocks of an earlier process that were not what was recorded");
    changed =
        builder.counter(
            "changedFileCount", "Files that were not what an earlier process had cached of them");
    fill = builder.histogram("fill", Unit.NANOS, "Caching a block, from the call to readable");
  }

  private void fromStats(CacheStats stats) {
    builder.counter("hitCount", "Blocks found", stats::getHitCount);
    builder.counter("missCount", "Blocks not found", stats::getMissCount);
  }

  private void fromPolicy(EvictionPolicy policy) {
    builder.counter(
        "rejectedByPolicyCount",
        "Blocks that left soon because they were read less than those that they would displace",
        policy::rejected);
    builder.counter(
        "evictedFromMainCount",
        "Blocks that left for others that are read more often",
        policy::evictedFromMain);
    builder.counter(
        "evictedInMemoryCount",
        "Blocks of IN_MEMORY families that had to leave",
        policy::evictedInMemory);
  }

  private void memory(ExtentAllocator extents) {
    builder.gauge("capacityBytes", "Memory for blocks", extents::capacity);
    builder.gauge("freeBytes", "Memory that no block takes", extents::freeBytes);
    builder.gauge(
        "overheadBytes", "Memory that blocks take beyond their bytes", extents::overheadBytes);
    builder.gauge(
        "fragmentedBytes",
        "Memory that held no block's bytes when a block last found no room",
        () -> (long) (extents.fragmentation() * extents.capacity()));
  }

  /** Shows the source; for the cache of a RegionServer, of which there is one in a process. */
  void register() {
    registration = builder.register();
  }

  void close() {
    if (registration != null) {
      registration.close();
    }
  }

  void filled(long nanos) {
    fill.record(nanos);
  }

  void refused(Refusal why) {
    refusals.get(why).increment();
  }

  long refusals(Refusal why) {
    return refusals.get(why).sum();
  }

  @Override
  public void damaged() {
    damaged.increment();
  }

  long damagedBlocks() {
    return damaged.sum();
  }

  @Override
  public void changed() {
    changed.increment();
  }

  long changedFiles() {
    return changed.sum();
  }

  void unreadable(BlockCacheKey key, Throwable why) {
    unreadable.increment();
    logOnce("Cached block {} cannot be read; it is read from its file", key, why);
  }

  void unindexed(BlockCacheKey key, Throwable why) {
    unindexed.increment();
    logOnce("Block {} is cached without an index", key, why);
  }

  long unindexedBlocks() {
    return unindexed.sum();
  }

  /** A block could not be cached, and not for want of room; it is counted as refused besides. */
  void failed(BlockCacheKey key, Throwable why) {
    logOnce("Block {} cannot be cached", key, why);
  }

  /** The first failure with its cause, the others where somebody looks for them. */
  private void logOnce(String message, BlockCacheKey key, Throwable why) {
    if (logged.compareAndSet(false, true)) {
      LOG.warn(message + "; more of the kind are counted only", key, why);
    } else {
      LOG.debug(message, key, why);
    }
  }
}
