package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerAccounting;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Unloggable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that samples go on, whatever happens to the server. */
class GuardServiceTest {
  @TempDir private Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private final List<Region> regions = new CopyOnWriteArrayList<>();
  private final AtomicInteger samples = new AtomicInteger();
  private volatile boolean breaks;

  @BeforeEach
  void configure() {
    conf.set(HConstants.HBASE_DIR, directory.toUri().toString());
    conf.set(GuardOptions.INTERVAL_MILLIS, "100");
    regions.add(region());
  }

  private RegionServerServices server() {
    return (RegionServerServices)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RegionServerServices.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getConfiguration" -> conf;
                  case "getRegions" -> List.copyOf(regions);
                  case "getRegionServerAccounting" -> new RegionServerAccounting(conf);
                  case "getWALs" -> {
                    samples.incrementAndGet();
                    if (breaks) {
                      throw new Unloggable();
                    }
                    yield List.of();
                  }
                  default -> null;
                });
  }

  private Region region() {
    return (Region)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Region.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getTableDescriptor" ->
                      TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build();
                  case "getStores" -> List.of();
                  default -> 0L;
                });
  }

  private void awaitSamples(int more) throws Exception {
    int before = samples.get();
    Eventually.holds(() -> assertThat(samples).hasValueGreaterThanOrEqualTo(before + more));
  }

  /** Otherwise it would keep its last overload and its throttle. */
  @Test
  void aServerThatLosesItsLastRegionIsSampled() throws Exception {
    try (GuardService service = GuardService.start(server(), GuardOptions.of(conf))) {
      awaitSamples(1);
      regions.clear();
      awaitSamples(3);
    }
  }

  @Test
  void aFailureThatCannotBeLoggedEndsNothing() throws Exception {
    breaks = true;
    try (GuardService service = GuardService.start(server(), GuardOptions.of(conf))) {
      awaitSamples(3);
    }
  }
}
