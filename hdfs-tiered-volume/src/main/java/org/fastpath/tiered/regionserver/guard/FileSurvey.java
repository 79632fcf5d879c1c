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
 * Finds the types of storage that the store files of the regions open here are on.
 *
 * <p>A round looks at the lists of stores' files, which HBase replaces when they change, and asks
 * the NameNode about files that it has not met: one call for each, a bounded number in a round, so
 * that a server that opens many regions does not ask about all their files at once. Files of a
 * store that is new here were there before, unless their edits are later than the region's opening;
 * those that a known store has later were written, or loaded, since. What is written and compacted
 * away between two rounds is not seen.
 *
 * <p>References, which split regions have until they are compacted, are the parent's bytes and are
 * left out. Where a mover moves a file's blocks afterwards is not followed.
 *
 * <p>For one thread.
 */
final class FileSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(FileSurvey.class);
  private static final int MOST_LOOKUPS = 500;
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

  /** What was found out of a store. */
  private static final class SeenStore {
    /** As HBase had it; null until all of its files are located. */
    private Collection<? extends StoreFile> list;

    private final long opened;
    private boolean known;
    private Map<String, LocatedFile> files = Map.of();
    private long rowReads;

    /** Of a region that was opened at this sequence number. */
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

  /** Whether all of them are located. */
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
      if (located == null && lookups < MOST_LOOKUPS) {
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

  /** Null for a file that is no longer there. */
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
    fallbacks.look(path, located);
  }

  /** Of a store with files on several types it is not known which of them a row came from. */
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
