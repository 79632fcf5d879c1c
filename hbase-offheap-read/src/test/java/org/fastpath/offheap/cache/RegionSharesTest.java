package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.fastpath.metrics.MetricDefinition;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.RecordSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which blocks count for which region and table. */
class RegionSharesTest {
  private static final TableName ONE = TableName.valueOf("one");
  private static final TableName TWO = TableName.valueOf("space", "two");
  private static final int SIZE = 2000;
  private static final long BLOCK = SIZE + TestBlocks.HEADER;

  private final List<Region> online = new ArrayList<>();
  private final OffHeapBlockCache cache = OffHeapBlockCache.create(configuration());
  private final RegionShares shares = new RegionShares(online, cache.store()::file);
  private long regionIds;

  private static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "4m");
    return conf;
  }

  @AfterEach
  void close() {
    shares.close();
    cache.shutdown();
  }

  @Test
  void bytesOfAFileCountForItsRegionAndTable() {
    String region = open(ONE, "a1", "a2");
    String other = open(TWO, "b1");
    cacheBlocks("a1", 2);
    cacheBlocks("a2", 3);
    cacheBlocks("b1", 4);
    cacheBlocks("nobodys", 5);
    assertThat(regions())
        .containsEntry("default one " + region, List.of(5 * BLOCK, 5L))
        .containsEntry("space two " + other, List.of(4 * BLOCK, 4L))
        .hasSize(2);
    assertThat(tables())
        .containsEntry("default one", List.of(5 * BLOCK, 5L))
        .containsEntry("space two", List.of(4 * BLOCK, 4L))
        .hasSize(2);
  }

  @Test
  void everySnapshotCountsAnew() {
    String region = open(ONE, "a1");
    cacheBlocks("a1", 2);
    assertThat(regions()).containsEntry("default one " + region, List.of(2 * BLOCK, 2L));
    cache.evictBlocksByHfileName("a1");
    assertThat(regions()).containsEntry("default one " + region, List.of(0L, 0L));
    cacheBlocks("a1", 1);
    assertThat(regions()).containsEntry("default one " + region, List.of(BLOCK, 1L));
  }

  @Test
  void closedRegionsAndTheirTablesLeave() {
    open(ONE, "a1");
    String stays = open(ONE, "a2");
    open(TWO, "b1");
    assertThat(regions()).hasSize(3);
    assertThat(tables()).hasSize(2);
    online.remove(2);
    online.remove(0);
    assertThat(regions()).containsOnlyKeys("default one " + stays);
    assertThat(tables()).containsOnlyKeys("default one");
  }

  @Test
  void parentsFileCountsForBothDaughtersAndOnceForTheTable() {
    String low = open(ONE, "a1.parent");
    String high = open(ONE, "a1.parent", "a2");
    cacheBlocks("a1", 3);
    cacheBlocks("a2", 1);
    assertThat(regions())
        .containsEntry("default one " + low, List.of(3 * BLOCK, 3L))
        .containsEntry("default one " + high, List.of(4 * BLOCK, 4L));
    assertThat(tables()).containsEntry("default one", List.of(4 * BLOCK, 4L));
  }

  /** A region may fail during its close; earlier counts are not counted again. */
  @Test
  void aCountThatFailsIsFollowedByOneThatIsRight() {
    String region = open(ONE, "a1");
    cacheBlocks("a1", 2);
    RegionInfo info = RegionInfoBuilder.newBuilder(TWO).setRegionId(++regionIds).build();
    online.add(stub(Region.class, Map.of("getRegionInfo", info)));
    regions();
    online.remove(1);
    cacheBlocks("a2", 1);
    open(ONE, "a2");
    assertThat(regions()).hasSize(2).containsEntry("default one " + region, List.of(2 * BLOCK, 2L));
    assertThat(tables()).containsEntry("default one", List.of(3 * BLOCK, 3L)).hasSize(1);
  }

  @Test
  void tenThousandRegionsAreCounted() {
    for (int i = 0; i < 10_000; i++) {
      open(ONE, "f" + i);
    }
    cacheBlocks("f7", 1);
    assertThat(regions()).hasSize(10_000);
    assertThat(tables()).containsEntry("default one", List.of(BLOCK, 1L));
  }

  private void cacheBlocks(String file, int blocks) {
    for (int i = 0; i < blocks; i++) {
      long offset = i * BLOCK;
      cache.cacheBlock(new BlockCacheKey(file, offset), TestBlocks.heap(1, offset, SIZE));
    }
  }

  private String open(TableName table, String... files) {
    RegionInfo info = RegionInfoBuilder.newBuilder(table).setRegionId(++regionIds).build();
    List<StoreFile> storeFiles = new ArrayList<>();
    for (String file : files) {
      storeFiles.add(
          stub(
              StoreFile.class,
              Map.of("getPath", new Path("/f/" + file), "isReference", file.contains("."))));
    }
    Store store = stub(Store.class, Map.of("getStorefiles", storeFiles));
    online.add(stub(Region.class, Map.of("getRegionInfo", info, "getStores", List.of(store))));
    return info.getEncodedName();
  }

  private static <T> T stub(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) ->
                method.getName().equals("equals")
                    ? (Object) (proxy == args[0])
                    : answers.get(method.getName())));
  }

  private static Map<String, List<Long>> regions() {
    return Records.of("OffHeapCacheRegions");
  }

  private static Map<String, List<Long>> tables() {
    return Records.of("OffHeapCacheTables");
  }

  /** The values of each record of a source, by the values of its tags. */
  private static final class Records implements RecordSink {
    private final Map<String, List<Long>> records = new LinkedHashMap<>();
    private List<Long> current;

    static Map<String, List<Long>> of(String source) {
      Records records = new Records();
      Metrics.sources().stream()
          .filter(candidate -> candidate.name().equals(source))
          .forEach(found -> found.snapshot(records));
      return records.records;
    }

    @Override
    public void record(List<String> tags, List<String> values) {
      current = new ArrayList<>();
      records.put(String.join(" ", values), current);
    }

    @Override
    public void counter(MetricDefinition definition, long value) {
      current.add(value);
    }

    @Override
    public void gauge(MetricDefinition definition, long value) {
      current.add(value);
    }

    @Override
    public void text(MetricDefinition definition, String value) {}
  }
}
