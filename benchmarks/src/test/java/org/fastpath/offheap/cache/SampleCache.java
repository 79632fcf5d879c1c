package org.fastpath.offheap.cache;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * A small cache and a region that is none, so that the sources of a RegionServer with the cache
 * tell what they have without an HBase. In this package because these classes are nobody else's
 * business.
 */
public final class SampleCache {
  private static final String SIZE = "4m";

  private SampleCache() {}

  /** Makes the sources register, with one pseudo-source each. */
  public static void publish() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, SIZE);
    OffHeapBlockCache cache = OffHeapBlockCache.create(conf);
    cache.publishMetrics();
    RegionServerCache.publishSupport(true);
    new RegionShares(List.of(region()), cache.store()::file).count();
  }

  private static Region region() {
    Map<String, Object> answers =
        Map.of(
            "getRegionInfo", RegionInfoBuilder.newBuilder(TableName.valueOf("sample")).build(),
            "getStores", List.of());
    return (Region)
        Proxy.newProxyInstance(
            Region.class.getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) -> answers.get(method.getName()));
  }
}
