package org.fastpath.offheap.cache;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.offheap.index.CachedFile;

/**
 * The cached part of each region and table, as the sources {@code OffHeapCacheRegions} and {@code
 * OffHeapCacheTables}. The cache knows files, and open regions know theirs. Each snapshot combines
 * them with one look-up per store file, some milliseconds for ten thousand regions, so requests
 * have no extra cost.
 *
 * <p>After a split both daughters read the file of their parent. Its cached blocks count for both,
 * and for the table once.
 *
 * <p>No lock is taken. While one snapshot counts, another one shows the last count.
 */
final class RegionShares implements AutoCloseable {
  private static final String NAMESPACE = "namespace";
  private static final String TABLE = "table";
  private static final String REGION = "region";

  private final Collection<? extends Region> online;
  private final Function<String, CachedFile> files;
  private final AggregateSource regionSource;
  private final AggregateSource tableSource;

  /** The thread that sets it may use the following fields. */
  private final AtomicBoolean counting = new AtomicBoolean();

  private final Map<String, CachedShare> regions = new HashMap<>();
  private final Map<TableName, CachedShare> tables = new HashMap<>();
  private final Set<String> parents = new HashSet<>();

  /**
   * @param online live view of the open regions
   * @param files returns the file of a name, null if no block of it is cached
   */
  RegionShares(Collection<? extends Region> online, Function<String, CachedFile> files) {
    this.online = online;
    this.files = files;
    regionSource =
        Metrics.aggregate(
            "OffHeapCacheRegions",
            "Blocks of each region in the off-heap block cache",
            NAMESPACE,
            TABLE,
            REGION);
    tableSource =
        Metrics.aggregate(
            "OffHeapCacheTables",
            "Blocks of each table in the off-heap block cache",
            NAMESPACE,
            TABLE);
    regionSource.beforeSnapshot(this::count);
    tableSource.beforeSnapshot(this::count);
  }

  /** Updates the metrics, unless another thread does. */
  void count() {
    if (counting.compareAndSet(false, true)) {
      try {
        begin();
        online.forEach(this::add);
        regions.values().removeIf(CachedShare::finish);
        tables.values().removeIf(CachedShare::finish);
      } finally {
        counting.set(false);
      }
    }
  }

  /** Begins a count, and discards a failed one. */
  private void begin() {
    regions.values().forEach(CachedShare::begin);
    tables.values().forEach(CachedShare::begin);
    parents.clear();
  }

  private void add(Region region) {
    CachedShare share =
        regions.computeIfAbsent(
            region.getRegionInfo().getEncodedName(), name -> newRegion(region, name));
    CachedShare table = tables.computeIfAbsent(region.getRegionInfo().getTable(), this::newTable);
    share.seen();
    table.seen();
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        String name = file.getPath().getName();
        add(name, share, table);
        if (file.isReference()) {
          String parent = name.substring(0, name.lastIndexOf('.'));
          add(parent, share, parents.add(parent) ? table : null);
        }
      }
    }
  }

  private void add(String name, CachedShare region, CachedShare table) {
    CachedFile file = files.apply(name);
    if (file != null) {
      region.add(file);
      if (table != null) {
        table.add(file);
      }
    }
  }

  private CachedShare newRegion(Region region, String encodedName) {
    TableName table = region.getRegionInfo().getTable();
    return show(
        regionSource.pseudoSource(
            table.getNamespaceAsString(), table.getQualifierAsString(), encodedName));
  }

  private CachedShare newTable(TableName table) {
    return show(
        tableSource.pseudoSource(table.getNamespaceAsString(), table.getQualifierAsString()));
  }

  private static CachedShare show(SourceBuilder builder) {
    CachedShare share = new CachedShare();
    builder.gauge("cachedBytes", "Bytes of its blocks that are cached", share::bytes);
    builder.gauge("cachedBlockCount", "Its blocks that are cached", share::blocks);
    share.shown(builder.register());
    return share;
  }

  /** Removes the sources. */
  @Override
  public void close() {
    regionSource.close();
    tableSource.close();
  }
}
