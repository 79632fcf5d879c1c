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
import org.fastpath.offheap.store.RejectReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics source {@code OffHeapCache}. It shows HBase's counts from {@link CacheStats} and
 * fields of the cache, and counts only the remaining events itself.
 */
final class CacheMetrics implements WarmRestart.Events {
  private static final Logger LOG = LoggerFactory.getLogger(CacheMetrics.class);

  private final SourceBuilder builder =
      Metrics.source("OffHeapCache", "The off-heap second-level block cache");
  private final Map<RejectReason, Counter> rejections = new EnumMap<>(RejectReason.class);
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
    builder.counter("evictedBlockCount", "Blocks evicted for other blocks", store::evicted);
    builder.gauge("cachedBlockCount", "Blocks that are cached", store::blocks);
    builder.gauge("cachedFileCount", "Files with cached blocks", cache::fileCount);
    builder.gauge("cachedBytes", "Bytes of the blocks that are cached", store::bytes);
    builder.gauge(
        "pinnedBytes", "Bytes of blocks that readers hold, cached or not", store::pinnedBytes);
    builder.gauge(
        "evictedPinnedBytes", "Bytes of evicted blocks that readers still hold", store::heldBytes);
    builder.gauge("metadataBytes", "Memory for index and entries", store::metadataBytes);
    memory(cache.extents());
    CacheResizer resizer = cache.resizer();
    builder.gauge(
        "resizeTargetBytes", "Target of a resize in progress, otherwise 0", resizer::target);
    builder.gauge(
        "resizeReservedBytes",
        "Memory reserved so far for a resize in progress",
        resizer::reserved);
    for (RejectReason refusal : RejectReason.values()) {
      rejections.put(refusal, builder.counter(refusal.metric(), refusal.description()));
    }
    unreadable =
        builder.counter(
            "unreadableBlockCount", "Cached blocks that could not be read, counted " + "as misses");
    unindexed =
        builder.counter("unindexedBlockCount", "Blocks without an index because indexing failed");
    builder.gauge(
        "restoredBlockCount", "Blocks of an earlier process at the start", cache::restoredBlocks);
    builder.gauge("restoredBytes", "Bytes of these blocks", cache::restoredBytes);
    builder.gauge(
        "refusedRecordCount", "Incomplete records of blocks at the start", cache::refusedRecords);
    damaged =
        builder.counter(
            "damagedBlockCount", "Blocks of an earlier process that differ from their record");
    changed =
        builder.counter(
            "changedFileCount", "Files that differ from an earlier process's cached blocks");
    fill = builder.histogram("fill", Unit.NANOS, "Caching a block, from the call to readable");
  }

  private void fromStats(CacheStats stats) {
    builder.counter("hitCount", "Blocks found", stats::getHitCount);
    builder.counter("missCount", "Blocks not found", stats::getMissCount);
  }

  private void fromPolicy(EvictionPolicy policy) {
    builder.counter(
        "rejectedByPolicyCount",
        "Blocks not admitted because they were read less than their victims",
        policy::rejected);
    builder.counter(
        "evictedFromMainCount",
        "Blocks evicted for others that are read more often",
        policy::evictedFromMain);
    builder.counter(
        "evictedInMemoryCount", "Evicted blocks of IN_MEMORY families", policy::evictedInMemory);
  }

  private void memory(ExtentAllocator extents) {
    builder.gauge("capacityBytes", "Memory for blocks", extents::capacity);
    builder.gauge("freeBytes", "Free memory", extents::freeBytes);
    builder.gauge("overheadBytes", "Memory of blocks beyond their bytes", extents::overheadBytes);
    builder.gauge(
        "fragmentedBytes",
        "Unused memory when a block last found no room",
        () -> (long) (extents.fragmentation() * extents.capacity()));
  }

  /** Shows the source for the cache of a RegionServer. There is one in a process. */
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

  void refused(RejectReason why) {
    rejections.get(why).increment();
  }

  long rejections(RejectReason why) {
    return rejections.get(why).sum();
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
    logOnce("Cached block {} cannot be read, so HBase reads it from its file", key, why);
  }

  void unindexed(BlockCacheKey key, Throwable why) {
    unindexed.increment();
    logOnce("Block {} cannot be indexed, so it is cached without an index", key, why);
  }

  long unindexedBlocks() {
    return unindexed.sum();
  }

  /** Reports a block that could not be cached because of a failure. It also counts as rejected. */
  void failed(BlockCacheKey key, Throwable why) {
    logOnce("Block {} cannot be cached, so HBase reads it from its file next time", key, why);
  }

  /** Logs the first failure with its cause, later ones at level DEBUG. */
  private void logOnce(String message, BlockCacheKey key, Throwable why) {
    if (logged.compareAndSet(false, true)) {
      LOG.warn(message + "; further cases are only counted", key, why);
    } else {
      LOG.debug(message, key, why);
    }
  }
}
