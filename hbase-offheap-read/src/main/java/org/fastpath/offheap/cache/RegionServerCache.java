package org.fastpath.offheap.cache;

import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.status.CacheFeatures;

/**
 * Puts the off-heap cache into a RegionServer, behind the first-level cache that the server made
 * itself. HBase has no plug-in point for a second level that it uses well: its key for an external
 * cache needs a class of memcached's, and then copies each hit to the heap. So the field in which
 * the server keeps its block cache is given another value while the server is being made, before
 * anything has read it.
 *
 * <p>If HBase's code is not the verified code, the server stays as it is. One line of the log, the
 * status of the feature and the metric {@code unverifiedVersionCount} say so.
 *
 * <p>For one thread, the one that makes the server; {@link #onConfigurationChange} may be called
 * from any.
 */
public final class RegionServerCache {
  private static final String FIELD = "blockCache";
  private static final boolean AVAILABLE = CacheFeatures.check(CacheFeatures.CACHE);
  private static final String EXTERNAL = "hbase.blockcache.use.external";

  /** Null where the server stays as it is. */
  private final OffHeapBlockCache cache;

  private RegionServerCache(OffHeapBlockCache cache) {
    this.cache = cache;
  }

  /**
   * The same configuration, if the cache can be had with it; called before a server does anything.
   *
   * @throws CacheConfigurationException (an IllegalArgumentException) naming the key, its value and
   *     what is allowed
   */
  public static Configuration checked(Configuration conf) {
    if (AVAILABLE) {
      try {
        refuseExternalCache(conf);
        refuseWithoutFirstLevel(conf);
        CacheOptions.of(conf);
      } catch (CacheConfigurationException e) {
        CacheFeatures.CACHE.misconfigured(e.getMessage());
        throw e;
      }
    }
    return conf;
  }

  private static void refuseExternalCache(Configuration conf) {
    if (conf.getBoolean(EXTERNAL, false)) {
      throw new CacheConfigurationException(
          EXTERNAL + " is true, allowed is false: there can be one second-level cache only");
    }
  }

  private static void refuseWithoutFirstLevel(Configuration conf) {
    if (MemorySizeUtil.getOnHeapCacheSize(conf) < 0) {
      throw new CacheConfigurationException(
          HConstants.HFILE_BLOCK_CACHE_SIZE_KEY
              + " is "
              + conf.get(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY)
              + ", allowed with an off-heap cache is a share of the heap from 0.0001 to 1: indexes"
              + " and Bloom filters are cached there");
    }
  }

  /**
   * Makes the cache and gives it to the server, which must not have begun to serve.
   *
   * @throws CacheConfigurationException (an IllegalArgumentException) if the memory cannot be had
   */
  public static RegionServerCache install(HRegionServer server) {
    publishSupport(AVAILABLE);
    if (!AVAILABLE) {
      return new RegionServerCache(null);
    }
    OffHeapBlockCache cache = OffHeapBlockCache.create(server.getConfiguration());
    RegionShares shares =
        new RegionShares(server.getOnlineRegionsLocalContext(), cache.store()::file);
    BlockCache first = server.getBlockCache().orElseThrow();
    replace(
        server, new OffHeapCombinedBlockCache((FirstLevelBlockCache) first, cache, shares::close));
    cache.publishMetrics();
    CacheFeatures.CACHE.active();
    return new RegionServerCache(cache);
  }

  /** Shows whether this is a version that keeps its own cache. */
  static void publishSupport(boolean verified) {
    SourceBuilder builder =
        Metrics.source("OffHeapCacheSupport", "Whether the off-heap block cache can be used here");
    builder.gauge(
        "unverifiedVersionCount",
        "1 on a version of HBase that keeps its own block cache because the off-heap one was not"
            + " verified with it, else 0",
        () -> verified ? 0 : 1);
    builder.register();
  }

  private static void replace(HRegionServer server, BlockCache cache) {
    try {
      Field field = HRegionServer.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      field.set(server, cache);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("HRegionServer." + FIELD + " of a verified version", e);
    }
  }

  /** Passes on what changed; the first level is told by HBase, where it wants to know. */
  public void onConfigurationChange(Configuration conf) {
    if (cache != null) {
      cache.onConfigurationChange(conf);
    }
  }
}
