package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.fastpath.offheap.cache.ReaderCaches;

/**
 * Creates the same region twice: HBase's own over BucketCache, and ours over the off-heap cache.
 * Our cache is in debug mode, which overwrites each freed block. Not thread-safe.
 */
final class RegionTwins implements AutoCloseable {
  private static final int BLOCK_BYTES = 4 << 10;
  private static final long FIRST_LEVEL_BYTES = 8 << 20;
  private static final long BUCKET_CACHE_BYTES = 32 << 20;
  private static final int[] BUCKETS = {2 << 10, 6 << 10, 18 << 10, 68 << 10, 516 << 10};

  private final LocalRegions stockRegions;
  private final LocalRegions ourRegions;
  private CombinedBlockCache stockCache;
  private CombinedBlockCache ourCache;
  private HRegion stock;
  private HRegion ours;

  RegionTwins(Path directory, Consumer<Configuration> settings) throws IOException {
    this(directory, false, settings);
  }

  /**
   * Prepares both configurations.
   *
   * @param full whether our cache is small, and full of other blocks with small holes between them
   */
  RegionTwins(Path directory, boolean full, Consumer<Configuration> settings) throws IOException {
    stockRegions = new LocalRegions(directory.resolve("stock"));
    ourRegions = new LocalRegions(directory.resolve("ours"));
    settings.accept(stockRegions.conf());
    settings.accept(ourRegions.conf());
    stockRegions.conf().unset(StoreEngine.STORE_ENGINE_CLASS_KEY);
    ourRegions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    ourRegions.conf().set("hbase.fastpath.offheap-reader.enabled", "true");
    ourRegions.conf().set("hbase.fastpath.offheap-cache.size", full ? "4m" : "32m");
    ourRegions.conf().set("hbase.fastpath.offheap-cache.average-block-size", "1k");
    stockCache =
        new CombinedBlockCache(
            firstLevel(),
            new BucketCache("offheap", BUCKET_CACHE_BYTES, BLOCK_BYTES, BUCKETS, 1, 64, null));
    ourCache =
        full
            ? ReaderCaches.fragmented(ourRegions.conf(), firstLevel(), new SplittableRandom(1))
            : ReaderCaches.create(ourRegions.conf(), firstLevel(), true);
    stockRegions.cache(stockCache);
    ourRegions.cache(ourCache);
  }

  private static LruBlockCache firstLevel() {
    return new LruBlockCache(FIRST_LEVEL_BYTES, BLOCK_BYTES);
  }

  /** Creates both regions of a table. */
  void create(TableDescriptor table) throws IOException {
    stock = stockRegions.create(table);
    ours = leanGets(ourRegions.create(table));
  }

  /** Installs the host that asks for gets, because these regions have no server. */
  private HRegion leanGets(HRegion region) throws IOException {
    region.setCoprocessorHost(new RegionCoprocessorHost(region, null, ourRegions.conf()));
    LeanCoprocessorHost.install(region, ourRegions.conf());
    return region;
  }

  HRegion stock() {
    return stock;
  }

  HRegion ours() {
    return ours;
  }

  CombinedBlockCache stockCache() {
    return stockCache;
  }

  CombinedBlockCache ourCache() {
    return ourCache;
  }

  LocalRegions ourRegions() {
    return ourRegions;
  }

  /** An operation on a region. */
  interface Work {
    void on(HRegion region) throws IOException;
  }

  void both(Work work) throws IOException {
    work.on(stock);
    work.on(ours);
  }

  void reopen() throws IOException {
    stock = stockRegions.reopen(stock);
    ours = leanGets(ourRegions.reopen(ours));
  }

  void alter(TableDescriptor table) throws IOException {
    stock = stockRegions.alter(stock, table);
    ours = leanGets(ourRegions.alter(ours, table));
  }

  /** Returns the number of BucketCache's blocks that readers still hold. */
  int heldByStock() {
    int held = 0;
    for (CachedBlock block : stockCache.getBlockCaches()[1]) {
      held += stockCache.getRpcRefCount(new BlockCacheKey(block.getFilename(), block.getOffset()));
    }
    return held;
  }

  /** Returns where the blocks of our cache that readers still hold were taken. */
  List<String> heldByOurs() {
    List<String> sites = new ArrayList<>();
    for (Throwable site : ReaderCaches.holders(ourCache)) {
      StringBuilder text = new StringBuilder(site.getMessage());
      for (StackTraceElement frame : site.getStackTrace()) {
        text.append("\n  at ").append(frame);
      }
      sites.add(text.toString());
    }
    return sites;
  }

  /**
   * Fails if ours has a scanner that is not closed: flushes and upserts would keep old versions.
   */
  @Override
  public void close() throws IOException {
    try {
      assertThat(ours == null ? Map.of() : ours.scannerReadPoints).isEmpty();
    } finally {
      stockRegions.close();
      ourRegions.close();
      stockCache.shutdown();
      ourCache.shutdown();
    }
  }
}
