package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.InlineGet.Outcome;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.fastpath.offheap.cache.ReaderCaches;
import org.fastpath.offheap.inline.InlineOptions;
import org.fastpath.offheap.reader.MemoryOnly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A get is prepared from memory alone, or not at all, and is then answered as HBase answers it. */
class InlineGetTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 2000;
  private static final InlineOptions OPTIONS = new InlineOptions(true, 10, 1000);

  @TempDir Path directory;
  private LocalRegions regions;
  private CombinedBlockCache cache;
  private final AtomicLong scanned = new AtomicLong();

  @BeforeEach
  void start() throws IOException {
    // A get that takes long is left to handlers. Here time stands still.
    long now = System.currentTimeMillis();
    EnvironmentEdgeManager.injectEdge(() -> now);
    regions = new LocalRegions(directory);
    regions.conf().set("hbase.fastpath.offheap-cache.size", "16m");
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    cache =
        ReaderCaches.create(
            regions.conf(), new LruBlockCache(8 << 20, 8 << 10, regions.conf()), false);
    regions.cache(cache);
  }

  @AfterEach
  void stop() throws IOException {
    InlineGet.finish();
    EnvironmentEdgeManager.reset();
    assertThat(MemoryOnly.isOn()).isFalse();
    assertThat(RpcServer.getCurrentCall()).isEmpty();
    regions.close();
    assertThat(ReaderCaches.heldBytes(cache)).isZero();
    cache.shutdown();
  }

  private HRegion region() throws IOException {
    return region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY));
  }

  private HRegion region(ColumnFamilyDescriptorBuilder family) throws IOException {
    HRegion region =
        regions.create(LocalRegions.table("t", family.setBlocksize(1024).build()).build());
    for (int row = 0; row < ROWS; row++) {
      region.put(put(row));
    }
    region.flush(true);
    return region;
  }

  private static Put put(int row) {
    return new Put(LocalRegions.row(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(row));
  }

  /** Counts what a handler would count. */
  private RpcCall call() {
    return (RpcCall)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getBlockBytesScanned" -> scanned.get();
                  case "incrementBlockBytesScanned" -> {
                    scanned.addAndGet((Long) arguments[0]);
                    yield null;
                  }
                  case "disconnectSince" -> -1L;
                  default -> null;
                });
  }

  private Outcome prepare(HRegion region, Get get) throws IOException {
    ClientProtos.Get request = ProtobufUtil.toGet(get);
    return InlineGet.prepare(region, request, call(), OPTIONS);
  }

  private static Get get(int row) {
    return new Get(LocalRegions.row(row));
  }

  private static List<Cell> answer(HRegion region, Get get) throws IOException {
    try {
      return region.get(get, false);
    } finally {
      InlineGet.finish();
    }
  }

  private long lookups() {
    return cache.getStats().getRequestCount();
  }

  @Test
  void cachedRowIsReadOnce() throws IOException {
    HRegion region = region();
    List<Cell> expected = region.get(get(7), false);
    long requests = region.getReadRequestsCount();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    long before = lookups();
    assertThat(answer(region, get(7))).isEqualTo(expected).hasSize(1);
    assertThat(lookups()).isEqualTo(before);
    assertThat(region.getReadRequestsCount()).isEqualTo(requests + 1);
  }

  @Test
  void rowThatIsNotThereIsAnsweredToo() throws IOException {
    HRegion region = region();
    Get absent = new Get(Bytes.toBytes("row-000007x"));
    region.get(absent, false);
    assertThat(prepare(region, absent)).isEqualTo(Outcome.READY);
    assertThat(answer(region, absent)).isEmpty();
  }

  @Test
  void rowInTheMemstoreIsAnsweredWithTheFiles() throws IOException {
    HRegion region = region();
    region.get(get(7), false);
    byte[] other = Bytes.toBytes("r");
    region.put(new Put(LocalRegions.row(7)).addColumn(FAMILY, other, other));
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    assertThat(answer(region, get(7))).hasSize(2);
  }

  /** What was read for nothing is not counted, and the handler's read caches the block. */
  @Test
  void blockThatIsNotCachedIsLeftToHandlers() throws IOException {
    HRegion region = region();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_IN_MEMORY);
    assertThat(scanned).hasValue(0);
    assertThat(InlineGet.take(region)).isNull();
    assertThat(region.get(get(7), false)).hasSize(1);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    InlineGet.finish();
  }

  /** An IOException would make HBase leave the filter out for good. */
  @ParameterizedTest
  @EnumSource(
      value = BloomType.class,
      names = {"ROW", "ROWCOL"})
  void bloomFilterThatIsNotCachedStaysInUse(BloomType bloom) throws IOException {
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBloomFilterType(bloom));
    Get get = get(7).addColumn(FAMILY, QUALIFIER);
    region.get(get, false);
    LocalRegions.files(region)
        .forEach(
            file -> cache.getFirstLevelCache().evictBlocksByHfileName(file.getPath().getName()));
    assertThat(prepare(region, get)).isEqualTo(Outcome.NOT_IN_MEMORY);
    StoreFileReader reader = LocalRegions.files(region).get(0).getReader();
    assertThat(reader.generalBloomFilter).isNotNull();
    assertThat(region.get(get, false)).hasSize(1);
    assertThat(prepare(region, get)).isEqualTo(Outcome.READY);
    InlineGet.finish();
  }

  @Test
  void rowWithManyCellsIsLeftToHandlers() throws IOException {
    HRegion region = region();
    Put wide = new Put(LocalRegions.row(7));
    for (int column = 0; column <= OPTIONS.maxCells(); column++) {
      wide.addColumn(FAMILY, Bytes.toBytes(column), QUALIFIER);
    }
    region.put(wide);
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.EXCEEDED);
    assertThat(region.get(get(7), false)).hasSize(OPTIONS.maxCells() + 2);
  }

  @Test
  void rowWithManyBytesIsLeftToHandlers() throws IOException {
    HRegion region = region();
    region.put(
        new Put(LocalRegions.row(7)).addColumn(FAMILY, QUALIFIER, new byte[OPTIONS.maxBytes()]));
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.EXCEEDED);
  }

  @Test
  void filtersAreLeftToHandlers() throws IOException {
    HRegion region = region();
    Get get = get(7).setFilter(new FirstKeyOnlyFilter());
    region.get(get, false);
    assertThat(prepare(region, get)).isEqualTo(Outcome.NOT_FOR_US);
  }

  @Test
  void familyThatIsReadPastTheCacheIsLeftToHandlers() throws IOException {
    regions.conf().setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false);
    HRegion region =
        region(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlockCacheEnabled(false));
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_FOR_US);
  }

  @Test
  void regionThatIsClosedMeanwhileIsLeftToHandlers() throws IOException, InterruptedException {
    HRegion region = region();
    region.get(get(7), false);
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Thread closing =
        new Thread(
            () -> {
              region.lock.writeLock().lock();
              locked.countDown();
              try {
                asked.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                region.lock.writeLock().unlock();
              }
            });
    closing.start();
    locked.await();
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.NOT_FOR_US);
    asked.countDown();
    closing.join();
  }

  @Test
  void whatWasNotTakenIsClosed() throws IOException {
    HRegion region = region();
    region.get(get(7), false);
    assertThat(prepare(region, get(7))).isEqualTo(Outcome.READY);
    InlineGet.finish();
    assertThat(InlineGet.take(region)).isNull();
    assertThat(region.lock.getReadHoldCount()).isZero();
  }

  @Test
  void getsAreTriedRarelyAfterMisses() throws IOException {
    HRegion region = region();
    long misses = 0;
    for (int row = 0; row < 1000; row++) {
      Get missing = get(row);
      cache.evictBlocksByHfileName(LocalRegions.files(region).get(0).getPath().getName());
      misses += prepare(region, missing) == Outcome.NOT_IN_MEMORY ? 1 : 0;
    }
    assertThat(misses).isBetween(17L, 100L);
  }

  /** A coprocessor that sees gets. */
  public static final class SeesGets implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells) {}
  }

  /** A coprocessor that does not. */
  public static final class SeesNone implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  @Test
  void hooksForGetsAreFound() throws IOException {
    assertThat(InlineAdmission.hasHooksForGets(new SeesGets())).isTrue();
    assertThat(InlineAdmission.hasHooksForGets(new SeesNone())).isFalse();
  }
}
