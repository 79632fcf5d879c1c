package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gets that {@link LeanGets} answers are equal to those of HBase's own region, also while flushes
 * and compactions replace files.
 */
class LeanGetsTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] OTHER = Bytes.toBytes("g");
  private static final int ROWS = 40;
  private static final int QUALIFIERS = 4;
  private static final int OPERATIONS = Boolean.getBoolean("nightly") ? 200_000 : 5_000;

  @TempDir private Path directory;

  /** A kind of table. */
  enum Kind {
    PLAIN,
    ONE_VERSION,
    ROW_AND_COLUMN_FILTERS,
    NO_FILTERS,
    EXPIRING,
    EXPIRING_BUT_ONE,
    KEEPS_DELETED_CELLS,
    NEW_VERSIONS
  }

  private static TableDescriptor table(Kind kind) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(LocalRegions.table("t").build());
    for (byte[] name : List.of(FAMILY, OTHER)) {
      ColumnFamilyDescriptorBuilder family =
          ColumnFamilyDescriptorBuilder.newBuilder(name)
              .setBlocksize(1024)
              .setMaxVersions(kind == Kind.ONE_VERSION ? 1 : 3)
              .setBloomFilterType(
                  switch (kind) {
                    case ROW_AND_COLUMN_FILTERS -> BloomType.ROWCOL;
                    case NO_FILTERS -> BloomType.NONE;
                    default -> BloomType.ROW;
                  })
              .setKeepDeletedCells(
                  kind == Kind.KEEPS_DELETED_CELLS ? KeepDeletedCells.TRUE : KeepDeletedCells.FALSE)
              .setNewVersionBehavior(kind == Kind.NEW_VERSIONS);
      if (kind == Kind.EXPIRING || kind == Kind.EXPIRING_BUT_ONE) {
        family.setTimeToLive(1_000).setMinVersions(kind == Kind.EXPIRING ? 0 : 1);
      }
      table.removeColumnFamily(name).setColumnFamily(family.build());
    }
    return table.build();
  }

  @ParameterizedTest
  @EnumSource
  void getsAreEqual(Kind kind) throws IOException {
    long before = ReaderMetrics.leanGets();
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(table(kind));
      SplittableRandom random = new SplittableRandom(kind.ordinal());
      long start = System.currentTimeMillis();
      for (int i = 0; i < OPERATIONS; i++) {
        if (random.nextInt(8) == 0) {
          // No cell expires during the test.
          long age = random.nextBoolean() ? 100_000 : 5_000_000;
          mutate(twins, random, kind.name().startsWith("EXPIRING") ? start - age + i : i + 1);
        } else {
          Get get = get(random);
          assertThat(RegionAnswers.get(twins.ours(), get))
              .as("%s %s", kind, get)
              .isEqualTo(RegionAnswers.get(twins.stock(), get));
        }
      }
      assertThat(twins.heldByOurs()).isEmpty();
      assertThat(twins.ours().getReadRequestsCount())
          .isEqualTo(twins.stock().getReadRequestsCount());
      assertThat(twins.ours().getFilteredReadRequestsCount())
          .isEqualTo(twins.stock().getFilteredReadRequestsCount());
      for (byte[] family : List.of(FAMILY, OTHER)) {
        assertThat(twins.ours().getStore(family).getMixedRowReadsCount())
            .isEqualTo(twins.stock().getStore(family).getMixedRowReadsCount());
      }
    }
    if (kind == Kind.NEW_VERSIONS || kind == Kind.EXPIRING_BUT_ONE) {
      assertThat(ReaderMetrics.leanGets()).isEqualTo(before);
    } else {
      assertThat(ReaderMetrics.leanGets()).isGreaterThan(before + OPERATIONS / 100);
    }
  }

  private static byte[] qualifier(SplittableRandom random) {
    return Bytes.toBytes("q" + random.nextInt(QUALIFIERS));
  }

  private static byte[] family(SplittableRandom random) {
    return random.nextBoolean() ? FAMILY : OTHER;
  }

  private static void mutate(RegionTwins twins, SplittableRandom random, long time)
      throws IOException {
    byte[] row = LocalRegions.row(random.nextInt(ROWS));
    byte[] family = family(random);
    byte[] qualifier = qualifier(random);
    long when = random.nextInt(4) == 0 ? Math.max(1, time - random.nextInt(10)) : time;
    int kind = random.nextInt(60);
    if (kind < 4) {
      twins.both(
          region -> {
            Delete delete = new Delete(row);
            switch (kind) {
              case 0 -> delete.addFamily(family, when);
              case 1 -> delete.addColumns(family, qualifier, when);
              case 2 -> delete.addColumn(family, qualifier, when);
              default -> delete.addFamilyVersion(family, when);
            }
            region.delete(delete);
          });
      return;
    }
    byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 20_000 : 100)];
    random.nextBytes(value);
    long ttl = random.nextInt(40) == 0 ? 100_000_000 : 0;
    twins.both(
        region -> {
          Put put = new Put(row, when).addColumn(family, qualifier, value);
          if (ttl > 0) {
            put.setTTL(ttl);
          }
          region.put(put);
        });
    if (random.nextInt(12) == 0) {
      twins.both(region -> region.flush(true));
    }
    if (random.nextInt(20) == 0) {
      twins.both(region -> region.flush(true));
      twins.both(region -> region.compact(true));
    }
  }

  private static Get get(SplittableRandom random) throws IOException {
    Get get = new Get(LocalRegions.row(random.nextInt(ROWS + 5)));
    switch (random.nextInt(4)) {
      case 0 -> get.addFamily(family(random));
      case 1 -> get.addColumn(family(random), qualifier(random));
      case 2 ->
          get.addColumn(FAMILY, qualifier(random))
              .addColumn(FAMILY, qualifier(random))
              .addColumn(OTHER, qualifier(random));
      default -> {
        // All columns.
      }
    }
    if (random.nextInt(3) == 0) {
      get.readVersions(1 + random.nextInt(4));
    }
    switch (random.nextInt(20)) {
      case 0 -> get.setTimeRange(5, 1000);
      case 1 -> get.setFilter(new FirstKeyOnlyFilter());
      case 2 -> get.setMaxResultsPerColumnFamily(1);
      case 3 -> get.setRowOffsetPerColumnFamily(1);
      case 4 -> get.setColumnFamilyTimeRange(FAMILY, 5, 1000);
      case 5 -> get.setCheckExistenceOnly(true);
      case 6 -> get.setAttribute("_raw_", Bytes.toBytes(get.numFamilies() == 0));
      default -> {
        // No limits.
      }
    }
    return get;
  }

  /** Two columns that change together have one version, and a reader never sees an older one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsNeverGoBack(boolean increments) throws Exception {
    int rows = 30;
    int writes = Boolean.getBoolean("nightly") ? 40_000 : 4_000;
    long before = ReaderMetrics.leanGets();
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(table(Kind.ONE_VERSION));
      HRegion region = twins.ours();
      AtomicLong[] written = new AtomicLong[rows];
      for (int row = 0; row < rows; row++) {
        written[row] = new AtomicLong();
        write(region, row, 0, false);
      }
      region.flush(true);
      ExecutorService threads = Executors.newFixedThreadPool(3);
      List<Future<Void>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        readers.add(threads.submit(reading(region, written, writes)));
      }
      Future<Void> flushes = threads.submit(flushing(region, written[0], writes));
      for (long version = 1; version <= writes; version++) {
        for (int row = 0; row < rows; row++) {
          // Most rows change so rarely that flushes catch up.
          if (version % (1L << Math.min(row, 9)) == 0) {
            write(region, row, version, increments);
            written[row].set(version);
          }
        }
      }
      for (Future<Void> reader : readers) {
        reader.get();
      }
      flushes.get();
      threads.shutdown();
      assertThat(twins.heldByOurs()).isEmpty();
    }
    assertThat(ReaderMetrics.leanGets()).isGreaterThan(before);
  }

  private static final byte[] LEFT = Bytes.toBytes("l");
  private static final byte[] RIGHT = Bytes.toBytes("r");

  /** Writes the version to both columns, or adds 1 to them. */
  private static void write(HRegion region, int row, long version, boolean increment)
      throws IOException {
    byte[] key = LocalRegions.row(row);
    if (increment) {
      region.increment(
          new Increment(key).addColumn(FAMILY, LEFT, 1).addColumn(OTHER, RIGHT, 1),
          HConstants.NO_NONCE,
          HConstants.NO_NONCE);
      return;
    }
    region.put(
        new Put(key)
            .addColumn(FAMILY, LEFT, Bytes.toBytes(version))
            .addColumn(OTHER, RIGHT, Bytes.toBytes(version)));
  }

  private static Callable<Void> reading(HRegion region, AtomicLong[] written, int writes) {
    return () -> {
      long[] seen = new long[written.length];
      SplittableRandom random = new SplittableRandom(writes);
      while (written[0].get() < writes) {
        int row = random.nextInt(written.length);
        Result result = region.get(new Get(LocalRegions.row(row)));
        long left = Bytes.toLong(result.getValue(FAMILY, LEFT));
        assertThat(Bytes.toLong(result.getValue(OTHER, RIGHT))).isEqualTo(left);
        assertThat(left).as("row %d", row).isGreaterThanOrEqualTo(seen[row]);
        seen[row] = left;
      }
      return null;
    };
  }

  private static Callable<Void> flushing(HRegion region, AtomicLong written, int writes) {
    return () -> {
      while (written.get() < writes) {
        region.flush(true);
        region.compact(true);
      }
      return null;
    };
  }

  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  private static Put put(long time, long value) {
    return new Put(LocalRegions.row(1), time).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  /** A flush keeps both cells of one version if an open scanner sees only the first. */
  @Test
  void ofEqualVersionsTheLastIsRead() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(table(Kind.PLAIN));
      twins.both(
          region -> {
            region.put(put(5, 1));
            try (RegionScanner open = region.getScanner(new Scan())) {
              region.put(put(5, 2));
              region.flush(true);
              assertThat(open.getMvccReadPoint()).isPositive();
            }
          });
      assertLean(twins, new Get(LocalRegions.row(1)).readVersions(3), 1);
    }
  }

  @Test
  void cellsThatExpireInAFileAreLeftOut() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      twins.create(table(Kind.EXPIRING));
      long now = System.currentTimeMillis();
      twins.both(
          region -> {
            region.put(put(now - 500_000, 1));
            region.put(put(now, 2));
            region.flush(true);
          });
      assertLean(twins, new Get(LocalRegions.row(1)).readVersions(3), 2);
      EnvironmentEdgeManager.injectEdge(() -> now + 700_000);
      Get get = new Get(LocalRegions.row(1)).readVersions(3);
      List<String> answer = RegionAnswers.get(twins.ours(), get);
      assertThat(answer).hasSize(1).isEqualTo(RegionAnswers.get(twins.stock(), get));
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  /** The Bloom filter of an only file is asked if gets often find nothing, and only then. */
  @Test
  void filtersAreAskedForAbsentRows() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      HStore store = everySecondRow(twins, Kind.PLAIN);
      for (int row = 0; row < SKIPPED; row += 2) {
        assertLean(twins, new Get(LocalRegions.row(row)).addColumn(FAMILY, QUALIFIER), 1);
      }
      assertThat(store.getBloomFilterRequestsCount()).isZero();
      for (int row = 1; row < SKIPPED - 2; row += 2) {
        assertLean(twins, new Get(LocalRegions.row(row)).addColumn(FAMILY, QUALIFIER), 0);
        assertLean(twins, new Get(LocalRegions.row(row)).addFamily(FAMILY), 0);
      }
      long absent = 2 * (SKIPPED / 2 - 1);
      assertThat(store.getBloomFilterRequestsCount()).isEqualTo(absent);
      assertThat(store.getBloomFilterNegativeResultsCount()).isEqualTo(absent);
      for (int row = 0; row < SKIPPED; row += 2) {
        assertLean(twins, new Get(LocalRegions.row(row)).addColumn(FAMILY, QUALIFIER), 1);
      }
      assertThat(store.getBloomFilterRequestsCount()).isBetween(absent + 1, absent + 128);
      assertThat(twins.heldByOurs()).isEmpty();
    }
  }

  /** HBase does not look into a file whose filter lacks the column, and counts no filtered row. */
  @Test
  void absentColumnsOfARowAreAnsweredByTheirFilter() throws IOException {
    try (RegionTwins twins = new RegionTwins(directory, conf -> {})) {
      everySecondRow(twins, Kind.ROW_AND_COLUMN_FILTERS);
      long before = ReaderMetrics.leanGets();
      for (int row = 0; row < SKIPPED; row += 2) {
        // In front of the row's column.
        Get get = new Get(LocalRegions.row(row)).addColumn(FAMILY, Bytes.toBytes("a"));
        assertThat(RegionAnswers.get(twins.ours(), get)).isEmpty();
        assertThat(RegionAnswers.get(twins.stock(), get)).isEmpty();
      }
      // A filter is wrong for one in a hundred.
      assertThat(ReaderMetrics.leanGets()).isGreaterThan(before + 9 * SKIPPED / 20);
      assertThat(twins.ours().getFilteredReadRequestsCount())
          .isEqualTo(twins.stock().getFilteredReadRequestsCount());
    }
  }

  private static final int SKIPPED = 1000;

  private static HStore everySecondRow(RegionTwins twins, Kind kind) throws IOException {
    twins.create(table(kind));
    twins.both(
        region -> {
          for (int row = 0; row < SKIPPED; row += 2) {
            byte[] value = Bytes.toBytes(row);
            region.put(new Put(LocalRegions.row(row), 5).addColumn(FAMILY, QUALIFIER, value));
          }
          region.flush(true);
        });
    return twins.ours().getStore(FAMILY);
  }

  private static void assertLean(RegionTwins twins, Get get, int cells) throws IOException {
    long before = ReaderMetrics.leanGets();
    List<String> answer = RegionAnswers.get(twins.ours(), get);
    assertThat(ReaderMetrics.leanGets()).isEqualTo(before + 1);
    assertThat(answer).hasSize(cells).isEqualTo(RegionAnswers.get(twins.stock(), get));
  }

  @Test
  void manyMissesAreTriedRarely() {
    Tries tries = new Tries(4);
    for (int i = 0; i < 1000; i++) {
      if (tries.isDue()) {
        tries.ended(false);
      }
    }
    int due = 0;
    for (int i = 0; i < 6400; i++) {
      if (tries.isDue()) {
        due++;
        tries.ended(false);
      }
    }
    assertThat(due).isEqualTo(100);
    for (int i = 0; i < 64 * 200; i++) {
      if (tries.isDue()) {
        tries.ended(true);
      }
    }
    assertThat(tries.isDue()).isTrue();
  }
}
