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
 * Installs the off-heap cache in a RegionServer, behind the server's own first-level cache. HBase
 * has no suitable plug-in point: its key for an external cache needs a class of memcached and
 * copies each hit to the heap. So this class sets the server's field with the block cache during
 * construction, before its first read.
 *
 * <p>If HBase's code is not the verified code, the server stays as it is. One line of the log, the
 * status of the feature and the metric {@code unverifiedVersionCount} say so.
 *
 * <p>Not thread-safe, except {@link #onConfigurationChange}.
 */
public final class RegionServerCache {
  private static final String FIELD = "blockCache";
  private static final boolean AVAILABLE = CacheFeatures.check(CacheFeatures.CACHE);
  private static final String EXTERNAL = "hbase.blockcache.use.external";

  /** Null if the server stays stock. */
  private final OffHeapBlockCache cache;

  private RegionServerCache(OffHeapBlockCache cache) {
    this.cache = cache;
  }

  /**
   * Checks the configuration before a server starts, and returns it.
   *
   * @throws CacheConfigurationException (an IllegalArgumentException) naming the key, the value and
   *     the allowed values
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
          EXTERNAL + " is true, allowed is false: only one second-level cache is possible");
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
   * Makes the cache and installs it in the server, which must not serve yet.
   *
   * @throws CacheConfigurationException (an IllegalArgumentException) if the memory is not
   *     available
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

  /** Publishes whether this version keeps its own cache. */
  static void publishSupport(boolean verified) {
    SourceBuilder builder =
        Metrics.source("OffHeapCacheSupport", "Whether the off-heap block cache can be used here");
    builder.gauge(
        "unverifiedVersionCount",
        "1 if HBase's own block cache stays because the version is not verified, otherwise 0",
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

  /** Passes on a change of the configuration. HBase notifies the first level itself. */
  public void onConfigurationChange(Configuration conf) {
    if (cache != null) {
      cache.onConfigurationChange(conf);
    }
  }
}
