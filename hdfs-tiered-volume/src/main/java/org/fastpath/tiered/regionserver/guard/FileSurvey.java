package org.fastpath.tiered.regionserver.guard;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the storage types of the store files of all regions open here.
 *
 * <p>A round reads the stores' lists of files, which HBase replaces at each change. It asks the
 * NameNode about new files, with one call each and a limited number per round. So a server that
 * opens many regions does not ask about all their files at once. Files of a new store existed
 * before, unless their edits are later than the region's opening. Later files of a known store were
 * written or loaded since. Files that are written and compacted away between two rounds are not
 * seen.
 *
 * <p>References of split regions are skipped, because they contain the parent's bytes. Later moves
 * of a file's blocks are not noticed.
 *
 * <p>Not thread-safe.
 */
final class FileSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(FileSurvey.class);
  private static final int MAX_LOOKUPS = 500;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final OnlineRegions online;
  private final FileLocator locator;
  private final TierMeters meters;
  private final TierTraffic traffic;
  private final GuardMetrics metrics;
  private final Fallbacks fallbacks;
  private Map<Store, SeenStore> stores = new IdentityHashMap<>();
  private int lookups;
  private long lastRound;

  /** Files and bytes of replicas on a type of storage. */
  record Size(long files, long bytes) {
    private Size plus(Size other) {
      return new Size(files + other.files, bytes + other.bytes);
    }
  }

  /** The findings of a store. */
  private static final class SeenStore {
    /** HBase's list; null until all of its files are located. */
    private Collection<? extends StoreFile> list;

    private final long opened;
    private boolean known;
    private Map<String, LocatedFile> files = Map.of();
    private long rowReads;

    /** Makes the findings of a store in a region opened at this sequence number. */
    private SeenStore(long opened) {
      this.opened = opened;
    }

    private boolean isNew(HStoreFile file) {
      return known || file.getMaxSequenceId() >= opened;
    }
  }

  FileSurvey(
      OnlineRegions online,
      FileLocator locator,
      TierMeters meters,
      TierTraffic traffic,
      GuardMetrics metrics,
      Fallbacks fallbacks) {
    this.online = online;
    this.locator = locator;
    this.meters = meters;
    this.traffic = traffic;
    this.metrics = metrics;
    this.fallbacks = fallbacks;
    lastRound = System.nanoTime();
  }

  /** Makes a round. */
  void round(long nanos) throws IOException {
    lookups = 0;
    Map<Store, SeenStore> now = new IdentityHashMap<>();
    Map<TierMeters.Tier, Size> sizes = new HashMap<>();
    Set<TableName> tables = new HashSet<>();
    for (Region region : online.getRegions()) {
      TableName table = region.getTableDescriptor().getTableName();
      if (!table.isSystemTable()) {
        tables.add(table);
        long opened = region instanceof HRegion own ? own.getOpenSeqNum() : Long.MAX_VALUE;
        for (Store store : region.getStores()) {
          SeenStore seen = stores.getOrDefault(store, new SeenStore(opened));
          now.put(store, seen);
          survey(table, store, seen);
          add(table, seen, sizes);
        }
      }
    }
    stores = now;
    meters.show(sizes, tables);
    traffic.passed((nanos - lastRound) / SECOND);
    lastRound = nanos;
    fallbacks.report(nanos);
  }

  private void survey(TableName table, Store store, SeenStore seen) throws IOException {
    Collection<? extends StoreFile> list = store.getStorefiles();
    if (list != seen.list) {
      boolean complete = locateNew(table, list, seen);
      seen.list = complete ? list : null;
      seen.known |= complete;
    }
    countReads(table, store, seen);
  }

  /** Locates new files. Returns whether all files are located. */
  private boolean locateNew(TableName table, Collection<? extends StoreFile> list, SeenStore seen)
      throws IOException {
    Map<String, LocatedFile> files = new HashMap<>();
    boolean complete = true;
    for (StoreFile file : list) {
      StoreFileReader reader = file instanceof HStoreFile own ? own.getReader() : null;
      if (reader == null || file.isReference()) {
        continue;
      }
      String path =
          Path.getPathWithoutSchemeAndAuthority(
                  reader.getReaderContext().getInputStreamWrapper().getReaderPath())
              .toString();
      LocatedFile located = seen.files.get(path);
      if (located == null && lookups < MAX_LOOKUPS) {
        located = locate(path);
        if (located != null && seen.isNew((HStoreFile) file)) {
          written(table, path, FileKind.of((HStoreFile) file), located);
        }
      }
      complete &= located != null;
      if (located != null) {
        files.put(path, located);
      }
    }
    seen.files = files;
    return complete;
  }

  /** Returns the places of a file; null if it no longer exists. */
  private LocatedFile locate(String path) throws IOException {
    lookups++;
    LocatedFile located = null;
    try {
      located = locator.locate(path);
    } catch (FileNotFoundException e) {
      LOG.debug("{} has gone", path, e);
    }
    if (located == null) {
      metrics.unlocated();
    }
    return located;
  }

  private void written(TableName table, String path, FileKind kind, LocatedFile located) {
    located
        .bytes()
        .forEach(
            (type, bytes) -> {
              meters.of(new TierMeters.Tier(table, type)).written(kind, bytes);
              traffic.add(type, kind, bytes);
            });
    located.placed().forEach(meters::placed);
    fallbacks.count(path, located);
  }

  /**
   * Counts the reads of a store. If its files are on several types, the type of a row is unknown.
   */
  private void countReads(TableName table, Store store, SeenStore seen) {
    long reads = store.getMixedRowReadsCount();
    long more = reads - seen.rowReads;
    seen.rowReads = reads;
    if (more > 0) {
      Set<StorageType> types = new HashSet<>();
      seen.files.values().forEach(file -> types.addAll(file.bytes().keySet()));
      types.forEach(type -> meters.of(new TierMeters.Tier(table, type)).read(more));
    }
  }

  private static void add(TableName table, SeenStore seen, Map<TierMeters.Tier, Size> sizes) {
    for (LocatedFile file : seen.files.values()) {
      file.bytes()
          .forEach(
              (type, bytes) ->
                  sizes.merge(new TierMeters.Tier(table, type), new Size(1, bytes), Size::plus));
    }
  }
}
