package org.fastpath.offheap.cache;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Creates a small cache and a fake region, so the sources of a RegionServer with the cache show
 * their metrics without HBase. It is in this package because these classes are package-private.
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
