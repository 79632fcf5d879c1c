package org.fastpath.metrics.region;

import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Opens a fake region, so the sources of regions and tables show their metrics without HBase. It is
 * in this package because the registry is package-private.
 */
public final class SampleRegion {
  private SampleRegion() {}

  /** Makes the sources register, with one pseudo-source each. */
  public static void open() {
    RegionRegistry registry = RegionRegistry.ofJvm(new Configuration(false));
    registry.open(registry.of(region()));
  }

  private static Region region() {
    RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("sample")).build();
    return (Region)
        Proxy.newProxyInstance(
            Region.class.getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) ->
                method.getReturnType() == RegionInfo.class
                    ? info
                    : nothing(method.getReturnType()));
  }

  private static Object nothing(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    return type == boolean.class ? false : null;
  }
}
