package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.fastpath.cluster.Eventually;
import org.fastpath.offheap.cache.ReaderCaches;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Repeats reports of users about blocks that HBase freed too early, never released, or cached
 * wrongly. It compares with HBase's own region over BucketCache. {@code docs/design/cases.md} lists
 * the reports.
 */
class ReportedBlocksTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] COUNT = Bytes.toBytes("n");
  private static final int ROWS = 40;
  private static final int MOB_ROUNDS = Boolean.getBoolean("nightly") ? 20 : 4;

  /** Bits for the events at which blocks are cached. A normal build tests 5 of 32 combinations. */
  private static final int[] CHOICES =
      Boolean.getBoolean("nightly")
          ? IntStream.range(0, 32).toArray()
          : new int[] {3, 10, 20, 29, 30};

  /** The positions of evicted blocks: single ones, a sequence, the first and one near the end. */
  private static final int[] HOLES = {0, 10, 40, 41, 42, 44, 90};

  private static final int STEPS = Boolean.getBoolean("nightly") ? 3000 : 200;
  private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(2026);

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(2048);
  }

  private byte[] value(int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return value;
  }

  private static void compactMajor(HRegion region) throws IOException {
    HStore store = region.getStore(FAMILY);
    store.triggerMajorCompaction();
    // Only a user's compaction rewrites MOB files.
    CompactionContext compaction =
        store
            .requestCompaction(Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null)
            .orElseThrow();
    region.compact(compaction, store, NoLimitThroughputController.INSTANCE, null);
  }

  private void compareScans(RegionTwins twins, String what) throws IOException {
    List<List<String>> answers = new ArrayList<>();
    twins.both(
        region -> {
          List<String> both = RegionAnswers.scan(region, new Scan());
          both.addAll(RegionAnswers.scan(region, new Scan().setReversed(true)));
          answers.add(both);
        });
    assertThat(answers.get(1)).as(what).isEqualTo(answers.get(0));
  }

  /**
   * HBASE-30246 and HBASE-26827: HBase 2.6.4 does not close the cells that a MOB compaction reads.
   * So their blocks are held forever, in BucketCache too.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mobCompactionHoldsNoMoreBlocksThanWithBucketCache(boolean full) throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, full, conf -> {})) {
      twins.create(
          LocalRegions.table("mob", family().setMobEnabled(true).setMobThreshold(1024).build())
              .build());
      for (int round = 0; round < MOB_ROUNDS; round++) {
        putMobs(twins);
        twins.both(region -> region.flush(true));
        compareScans(twins, "round " + round);
        twins.both(ReportedBlocksTest::compactMajor);
        compareScans(twins, "compacted, round " + round);
      }
      assertThat(twins.heldByStock()).isPositive();
      assertThat(twins.heldByOurs())
          .allSatisfy(site -> assertThat(site).contains("DefaultMobStoreCompactor"));
    }
  }

  private void putMobs(RegionTwins twins) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      byte[] row = LocalRegions.row(random.nextInt(ROWS));
      byte[] value = value(random.nextInt(3000));
      long time = 1 + random.nextInt(1_000_000);
      twins.both(region -> region.put(new Put(row, time).addColumn(FAMILY, QUALIFIER, value)));
    }
  }

  /** A MOB store has its own engine, so its readers are HBase's. */
  @Test
  void filesOfMobStoresAreNotOurs() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(
          LocalRegions.table("mob", family().setMobEnabled(true).setMobThreshold(1024).build())
              .build());
      putMobs(twins);
      twins.both(region -> region.flush(true));
      assertThat(LocalRegions.files(twins.ours()))
          .allSatisfy(
              file -> assertThat(file.getReader()).isExactlyInstanceOf(StoreFileReader.class));
    }
  }

  /** HBASE-28465, HBASE-28468 and HBASE-30102: a file is cached if its data is young. */
  @Test
  void timeRangeTieringCachesTheFilesThatBucketCacheCaches() throws Exception {
    Configuration enabled = new Configuration(false);
    enabled.setBoolean(DataTieringManager.GLOBAL_DATA_TIERING_ENABLED_KEY, true);
    Map<String, HRegion> online = new HashMap<>();
    DataTieringManager.resetForTestingOnly();
    DataTieringManager.instantiate(enabled, online);
    try (RegionTwins twins =
        new RegionTwins(directory, conf -> conf.setInt(PrefetchExecutor.PREFETCH_DELAY, 0))) {
      TableDescriptor table =
          LocalRegions.table("tiered", family().setPrefetchBlocksOnOpen(true).build())
              .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, DateTieredStoreEngine.class.getName())
              .setValue(DataTieringManager.DATATIERING_KEY, DataTieringType.TIME_RANGE.name())
              .setValue(DataTieringManager.DATATIERING_HOT_DATA_AGE_KEY, "3600000")
              .build();
      twins.create(table);
      twins.both(region -> online.put(region.getRegionInfo().getEncodedName(), region));
      long now = System.currentTimeMillis();
      for (long time : new long[] {now - 3 * DAY_MILLIS, now - DAY_MILLIS, now}) {
        putAt(twins, time);
        twins.both(region -> region.flush(true));
      }
      compareScans(twins, "tiered");
      requireSameFilesCached(twins);
      twins.reopen();
      requireSameFilesCached(twins);
      compareScans(twins, "opened again");
      requireSameFilesCached(twins);
      alterWhileCached(twins, table, online);
      twins.both(ReportedBlocksTest::compactMajor);
      compareScans(twins, "compacted");
      requireSameFilesCached(twins);
      assertThat(twins.heldByOurs()).isEmpty();
    } finally {
      DataTieringManager.resetForTestingOnly();
    }
  }

  /**
   * Changes the tiering age, changes the format, and removes tiering while blocks of the files are
   * cached.
   */
  private void alterWhileCached(
      RegionTwins twins, TableDescriptor table, Map<String, HRegion> online) throws Exception {
    String twoDays = Long.toString(2 * DAY_MILLIS);
    for (TableDescriptor altered :
        List.of(
            TableDescriptorBuilder.newBuilder(table)
                .setValue(DataTieringManager.DATATIERING_HOT_DATA_AGE_KEY, twoDays)
                .build(),
            TableDescriptorBuilder.newBuilder(table)
                .modifyColumnFamily(
                    family()
                        .setPrefetchBlocksOnOpen(true)
                        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                        .setCompressionType(Compression.Algorithm.GZ)
                        .build())
                .build(),
            TableDescriptorBuilder.newBuilder(table)
                .setValue(DataTieringManager.DATATIERING_KEY, DataTieringType.NONE.name())
                .build(),
            table)) {
      twins.alter(altered);
      twins.both(region -> online.put(region.getRegionInfo().getEncodedName(), region));
      requireSameFilesCached(twins);
      compareScans(twins, "altered");
      putAt(twins, System.currentTimeMillis());
      twins.both(region -> region.flush(true));
      compareScans(twins, "altered and flushed");
      requireSameFilesCached(twins);
    }
  }

  private void putAt(RegionTwins twins, long time) throws IOException {
    for (int i = 0; i < ROWS; i++) {
      byte[] row = LocalRegions.row(i);
      byte[] value = value(500);
      twins.both(region -> region.put(new Put(row, time).addColumn(FAMILY, QUALIFIER, value)));
    }
  }

  /** Compares files by their sequence ids, which are the same in both regions. */
  private static void requireSameFilesCached(RegionTwins twins) throws Exception {
    Eventually.holds(
        () ->
            assertThat(cachedFiles(twins.ours(), twins.ourCache()))
                .isEqualTo(cachedFiles(twins.stock(), twins.stockCache())));
  }

  private static TreeSet<Long> cachedFiles(HRegion region, CombinedBlockCache cache) {
    TreeSet<Long> files = new TreeSet<>();
    for (HStoreFile file : LocalRegions.files(region)) {
      for (CachedBlock block : cache.getBlockCaches()[1]) {
        if (block.getFilename().equals(file.getPath().getName())) {
          files.add(file.getMaxSequenceId());
        }
      }
    }
    return files;
  }

  /** HBASE-27053, HBASE-29623, HBASE-29326 and HBASE-30038. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "GZ"})
  void cachingOnWriteInAllCombinationsServesEveryRead(Compression.Algorithm compression)
      throws Exception {
    for (int choice : CHOICES) {
      Path own = directory.resolve(compression + "-" + choice);
      try (RegionTwins twins = new RegionTwins(own, combination(choice))) {
        twins.create(
            LocalRegions.table(
                    "matrix",
                    family()
                        .setCompressionType(compression)
                        .setDataBlockEncoding(
                            choice % 2 == 0 ? DataBlockEncoding.FAST_DIFF : DataBlockEncoding.NONE)
                        .setBlockCacheEnabled(choice % 3 != 0)
                        .setInMemory(choice % 5 == 0)
                        .setPrefetchBlocksOnOpen(bit(choice, 4))
                        .build())
                .build());
        String what = compression + " choice " + choice;
        for (int i = 0; i < 3; i++) {
          putAt(twins, 1 + i);
          twins.both(region -> region.flush(true));
        }
        readWhileCompacting(twins.ours());
        twins.both(ReportedBlocksTest::compactMajor);
        compareScans(twins, what);
        evictOne(twins.ourCache());
        twins.reopen();
        compareScans(twins, what);
        // A family with BLOCKCACHE=false is never prefetched.
        if (bit(choice, 4) && choice % 3 != 0) {
          requirePrefetched(twins);
        }
        assertThat(ReaderCaches.failures(twins.ourCache())).as(what).isZero();
        assertThat(twins.heldByOurs()).as(what).isEmpty();
      }
    }
  }

  private static boolean bit(int choice, int number) {
    return (choice >> number & 1) != 0;
  }

  private static Consumer<Configuration> combination(int choice) {
    return conf -> {
      conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, bit(choice, 1));
      conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, bit(choice, 2));
      conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, bit(choice, 3));
      conf.setInt(PrefetchExecutor.PREFETCH_DELAY, 0);
    };
  }

  /** Reads a scan that is open during a compaction. */
  private static void readWhileCompacting(HRegion region) throws IOException {
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      List<Cell> cells = new ArrayList<>();
      assertThat(scanner.next(cells)).isTrue();
      region.compact(false);
      while (scanner.next(cells)) {
        ((Shipper) scanner).shipped();
      }
    }
  }

  private static void evictOne(CombinedBlockCache cache) {
    for (CachedBlock block : cache.getBlockCaches()[1]) {
      cache.evictBlock(new BlockCacheKey(block.getFilename(), block.getOffset()));
      return;
    }
  }

  /** HBASE-29623: a prefetch reads a file again after one of its blocks was evicted. */
  private static void requirePrefetched(RegionTwins twins) throws Exception {
    for (HStoreFile file : LocalRegions.files(twins.ours())) {
      awaitPrefetched(twins, file);
      for (CachedBlock block : twins.ourCache().getBlockCaches()[1]) {
        if (block.getFilename().equals(file.getPath().getName())) {
          twins.ourCache().evictBlock(new BlockCacheKey(block.getFilename(), block.getOffset()));
          break;
        }
      }
      assertThat(twins.ourCache().getFullyCachedFiles().orElseThrow())
          .doesNotContainKey(file.getPath().getName());
    }
    twins.reopen();
    for (HStoreFile file : LocalRegions.files(twins.ours())) {
      awaitPrefetched(twins, file);
    }
  }

  /**
   * HBase's prefetch ends with an exception if it has skipped cached blocks after one that it read.
   * Ours reads the missing blocks.
   */
  @ParameterizedTest
  @CsvSource({"NONE, false, false", "NONE, true, false", "GZ, false, false", "GZ, false, true"})
  void aPrefetchReadsTheBlocksThatAreMissing(
      Compression.Algorithm compression, boolean inMemory, boolean compressed) throws Exception {
    Consumer<Configuration> settings =
        conf -> {
          conf.setInt(PrefetchExecutor.PREFETCH_DELAY, 0);
          conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, compressed);
        };
    try (RegionTwins twins = new RegionTwins(directory, settings)) {
      twins.create(
          LocalRegions.table(
                  "holes",
                  family()
                      .setCompressionType(compression)
                      .setInMemory(inMemory)
                      .setPrefetchBlocksOnOpen(true)
                      .build())
              .build());
      // The values give blocks of many sizes.
      for (int row = 0; row < 10 * ROWS; row++) {
        byte[] key = LocalRegions.row(row);
        byte[] value = value(100 + random.nextInt(2000));
        twins.both(region -> region.put(new Put(key, 1).addColumn(FAMILY, QUALIFIER, value)));
      }
      twins.both(region -> region.flush(true));
      HStoreFile file = LocalRegions.files(twins.ours()).get(0);
      awaitPrefetched(twins, file);
      List<BlockCacheKey> blocks = blocksOf(file, twins.ourCache());
      assertThat(blocks).hasSizeGreaterThan(100);
      for (int hole : HOLES) {
        twins.ourCache().evictBlock(blocks.get(hole));
      }
      long before = ReaderCaches.readAgain(twins.ourCache());
      twins.reopen();
      awaitPrefetched(twins, file);
      assertThat(blocksOf(file, twins.ourCache())).containsExactlyInAnyOrderElementsOf(blocks);
      assertThat(ReaderCaches.readAgain(twins.ourCache()) - before).isZero();
      compareScans(twins, "prefetched");
    }
  }

  private static void awaitPrefetched(RegionTwins twins, HStoreFile file) throws Exception {
    Eventually.holds(
        () ->
            assertThat(twins.ourCache().getFullyCachedFiles().orElseThrow())
                .containsKey(file.getPath().getName()));
  }

  /** Returns the blocks in the order of the file. */
  private static List<BlockCacheKey> blocksOf(HStoreFile file, CombinedBlockCache cache) {
    List<BlockCacheKey> blocks = new ArrayList<>();
    for (CachedBlock block : cache.getBlockCaches()[1]) {
      if (block.getFilename().equals(file.getPath().getName())) {
        blocks.add(new BlockCacheKey(block.getFilename(), block.getOffset()));
      }
    }
    blocks.sort(Comparator.comparingLong(BlockCacheKey::getOffset));
    return blocks;
  }

  /** HBase refuses such a scan and leaves the scanner of the second family open. */
  @Test
  void aReversedScanThatIsRefusedFamiliesOnDemandHoldsNoBlockAsItDoesInHBase() throws Exception {
    byte[] other = Bytes.toBytes("g");
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(
          LocalRegions.table("reversed", family().build())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(other))
              .build());
      for (int row = 0; row < ROWS; row++) {
        byte[] key = LocalRegions.row(row);
        byte[] value = value(100);
        twins.both(
            region ->
                region.put(
                    new Put(key, 1)
                        .addColumn(FAMILY, QUALIFIER, value)
                        .addColumn(other, QUALIFIER, value)));
      }
      twins.both(region -> region.flush(true));
      compareScans(twins, "cached");
      SingleColumnValueFilter filter =
          new SingleColumnValueFilter(
              FAMILY, QUALIFIER, CompareOperator.NOT_EQUAL, new byte[] {1, 2, 3});
      filter.setFilterIfMissing(true);
      Scan scan =
          new Scan().setReversed(true).setFilter(filter).setLoadColumnFamiliesOnDemand(true);
      List<String> refusals = new ArrayList<>();
      twins.both(
          region -> {
            try {
              region.getScanner(new Scan(scan)).close();
              refusals.add("not refused");
            } catch (IOException e) {
              refusals.add(e.toString());
            }
          });
      assertThat(refusals.get(1)).isEqualTo(refusals.get(0)).contains("not supported");
      assertThat(twins.heldByOurs()).isEmpty();
      // Without families on demand, the result equals HBase's.
      compareScans(twins, "afterwards");
    }
  }

  /** HBASE-26036, HBASE-25929, HBASE-26155, HBASE-26281 and HBASE-26869. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "FAST_DIFF"})
  void readsOfReadModifyWritesAreNotOverwritten(DataBlockEncoding encoding) throws IOException {
    // Two appends in a millisecond are later than it, so they would hide a put in it, in one
    // region.
    AtomicLong time = new AtomicLong(System.currentTimeMillis());
    EnvironmentEdgeManager.injectEdge(time::incrementAndGet);
    try (RegionTwins twins = new RegionTwins(directory, true, conf -> {})) {
      twins.create(
          LocalRegions.table("rmw", family().setDataBlockEncoding(encoding).build()).build());
      for (int row = 0; row < ROWS; row++) {
        byte[] key = LocalRegions.row(row);
        byte[] value = value(20);
        twins.both(
            region ->
                region.put(
                    new Put(key)
                        .addColumn(FAMILY, QUALIFIER, value)
                        .addColumn(FAMILY, COUNT, Bytes.toBytes(1L))));
      }
      for (int step = 0; step < STEPS; step++) {
        byte[] row = LocalRegions.row(random.nextInt(ROWS));
        byte[] other = LocalRegions.row(random.nextInt(ROWS));
        byte[] value = value(1 + random.nextInt(8));
        int kind = random.nextInt(6);
        List<String> answers = new ArrayList<>();
        twins.both(region -> answers.add(change(region, kind, row, other, value)));
        assertThat(answers.get(1)).as("step " + step).isEqualTo(answers.get(0));
        if (step % 30 == 29) {
          twins.both(region -> region.flush(true));
        }
        if (step % 80 == 79) {
          twins.both(ReportedBlocksTest::compactMajor);
        }
      }
      assertThat(columns(twins.ours())).isEqualTo(columns(twins.stock()));
      assertThat(twins.heldByOurs()).isEmpty();
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  private static String change(HRegion region, int kind, byte[] row, byte[] other, byte[] value)
      throws IOException {
    return switch (kind) {
      case 0 -> values(region.append(new Append(row).addColumn(FAMILY, QUALIFIER, value)));
      case 1 -> values(region.increment(new Increment(row).addColumn(FAMILY, COUNT, value.length)));
      case 2 ->
          values(
              region.append(
                  new Append(row)
                      .addColumn(FAMILY, QUALIFIER, value)
                      .addColumn(FAMILY, Bytes.toBytes("r"), value)));
      case 3 -> {
        byte[] read = region.get(new Get(row).addColumn(FAMILY, COUNT)).value();
        yield check(
            region,
            CheckAndMutate.newBuilder(row)
                .ifMatches(FAMILY, COUNT, CompareOperator.EQUAL, read)
                .build(new Put(row).addColumn(FAMILY, QUALIFIER, value)));
      }
      case 4 ->
          check(
              region,
              CheckAndMutate.newBuilder(row)
                  .ifMatches(new ValueFilter(CompareOperator.GREATER, new BinaryComparator(value)))
                  .build(
                      RowMutations.of(
                          List.of(
                              new Put(row).addColumn(FAMILY, QUALIFIER, value),
                              new Increment(row).addColumn(FAMILY, COUNT, 3)))));
      default ->
          check(
                  region,
                  CheckAndMutate.newBuilder(row)
                      .ifMatches(
                          new QualifierFilter(
                              CompareOperator.EQUAL, new BinaryComparator(QUALIFIER)))
                      .build(new Append(row).addColumn(FAMILY, QUALIFIER, value)))
              + values(region.get(new Get(other)));
    };
  }

  private static String check(HRegion region, CheckAndMutate condition) throws IOException {
    var answer = region.checkAndMutate(condition);
    return answer.isSuccess() + values(answer.getResult());
  }

  /** Returns values without timestamps, because each region chooses its own. */
  private static String values(Result result) {
    if (result == null || result.isEmpty()) {
      return "nothing";
    }
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      cells.add(
          Bytes.toStringBinary(CellUtil.cloneRow(cell))
              + "/"
              + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
              + "="
              + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    }
    return cells.toString();
  }

  private static List<String> columns(HRegion region) throws IOException {
    List<String> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      rows.add(values(region.get(new Get(LocalRegions.row(row)))));
    }
    return rows;
  }
}
