package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.TieredRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.fastpath.tiered.status.HBaseFeatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region with rules writes each file with the policy of its kind. It holds the same cells as a
 * stock region after the same mutations.
 */
class TieredRegionTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 500;

  /** A file system without policies that notes those it is asked for. */
  public static final class Policies extends LocalFileSystem {
    private static final Map<String, String> BY_FILE = new ConcurrentHashMap<>();

    @Override
    public void setStoragePolicy(Path file, String policy) {
      BY_FILE.put(file.getName(), policy);
    }
  }

  @TempDir java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private final List<HRegion> open = new ArrayList<>();
  private WALFactory wals;

  @BeforeEach
  void start() throws IOException {
    conf.setClass("fs.file.impl", Policies.class, LocalFileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    wals = new WALFactory(conf, "local");
  }

  @AfterEach
  void stop() throws IOException {
    for (HRegion region : open) {
      region.close();
    }
    wals.close();
  }

  @Test
  void filesHaveThePolicyOfTheirKindAndCellsAreHBases() throws IOException {
    assertThat(HBaseFeatures.TIER_RULES.usable()).isTrue();
    assertThat(HBaseFeatures.TIER_GUARD.usable()).isTrue();
    HRegion stock = region(HRegion.class);
    conf.set(TierRules.FLUSH, "ALL_SSD");
    conf.set(TierRules.COMPACTION, "COLD");
    HRegion tiered = region(TieredRegion.class);
    for (int round = 0; round < 3; round++) {
      change(stock, round);
      change(tiered, round);
      assertThat(policies(tiered)).hasSize(round + 1).containsOnly("ALL_SSD");
      assertThat(cells(tiered)).isEqualTo(cells(stock)).isNotEmpty();
    }
    stock.compact(true);
    tiered.compact(true);
    assertThat(policies(tiered)).containsExactly("COLD");
    assertThat(policies(stock)).containsExactly("none");
    assertThat(cells(tiered)).isEqualTo(cells(stock)).isNotEmpty();
  }

  private HRegion region(Class<? extends HRegion> type) throws IOException {
    Configuration own = new Configuration(conf);
    own.setClass(HConstants.REGION_IMPL, type, HRegion.class);
    URI root = directory.resolve(type.getSimpleName()).toUri();
    own.set(HConstants.HBASE_DIR, root.toString());
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(type.getSimpleName()))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    HRegion region = HRegion.createHRegion(info, new Path(root), own, table, wals.getWAL(info));
    open.add(region);
    return region;
  }

  private static void change(HRegion region, int round) throws IOException {
    for (int row = round; row < ROWS; row += round + 1) {
      byte[] value = Bytes.toBytes(row * 31L + round);
      region.put(new Put(Bytes.toBytes(row), round + 1L).addColumn(FAMILY, QUALIFIER, value));
    }
    for (int row = round; row < ROWS; row += 17) {
      region.delete(new Delete(Bytes.toBytes(row), round + 1L));
    }
    region.flush(true);
  }

  private static List<String> policies(HRegion region) {
    return region.getStore(FAMILY).getStorefiles().stream()
        .map(HStoreFile::getPath)
        .map(file -> Policies.BY_FILE.getOrDefault(file.getName(), "none"))
        .toList();
  }

  private static List<String> cells(HRegion region) throws IOException {
    List<String> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan().readAllVersions())) {
      List<Cell> row = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = scanner.next(row);
        row.forEach(
            cell ->
                cells.add(
                    cell
                        + "="
                        + Bytes.toStringBinary(
                            cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())));
        row.clear();
      }
    }
    return cells;
  }
}
