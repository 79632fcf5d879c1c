package org.fastpath.tiered.regionserver.guard;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
 * of a file's blocks are not noticed. A file that could not be located is asked for again in the
 * next round.
 *
 * <p>Not thread-safe.
 */
final class FileSurvey {
  private static final Logger LOG = LoggerFactory.getLogger(FileSurvey.class);
  private static final int MAX_LOOKUPS = 500;

  /** Failures in a row that end a round's look-ups. Each may take minutes during a failover. */
  private static final int MAX_UNANSWERED = 3;

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final OnlineRegions online;
  private final Locator locator;
  private final TierMeters meters;
  private final TierTraffic traffic;
  private final GuardMetrics metrics;
  private final Fallbacks fallbacks;
  private final Consumer<Exception> failures;
  private final Map<Store, SeenStore> stores = new IdentityHashMap<>();
  private int lookups;

  /** The look-ups that failed in a row. */
  private int unanswered;

  private long lastRound;

  /** Asks for the places of a file. */
  @FunctionalInterface
  interface Locator {
    /**
     * Returns the places of a file; null if it no longer exists.
     *
     * @param path without scheme and authority
     */
    LocatedFile locate(String path) throws IOException;
  }

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
    private final Map<String, LocatedFile> files = new HashMap<>();
    private boolean known;
    private long rowReads;

    /** Makes the findings of a store in a region opened at this sequence number. */
    private SeenStore(long opened) {
      this.opened = opened;
    }

    private boolean isNew(HStoreFile file) {
      return known || file.getMaxSequenceId() >= opened;
    }
  }

  /**
   * Makes a survey that has seen nothing yet.
   *
   * @param failures receives the failure of a file or a store; the round goes on with the next one
   */
  FileSurvey(
      OnlineRegions online,
      Locator locator,
      TierMeters meters,
      TierTraffic traffic,
      GuardMetrics metrics,
      Fallbacks fallbacks,
      Consumer<Exception> failures) {
    this.online = online;
    this.locator = locator;
    this.meters = meters;
    this.traffic = traffic;
    this.metrics = metrics;
    this.fallbacks = fallbacks;
    this.failures = failures;
    lastRound = System.nanoTime();
  }

  /** Makes a round. */
  void round(long nanos) {
    lookups = 0;
    unanswered = 0;
    Set<Store> present = Collections.newSetFromMap(new IdentityHashMap<>());
    Map<TierMeters.Tier, Size> sizes = new HashMap<>();
    Set<TableName> tables = new HashSet<>();
    for (Region region : online.getRegions()) {
      TableName table = region.getTableDescriptor().getTableName();
      if (!table.isSystemTable()) {
        tables.add(table);
        long opened = region instanceof HRegion own ? own.getOpenSeqNum() : Long.MAX_VALUE;
        for (Store store : region.getStores()) {
          SeenStore seen = stores.computeIfAbsent(store, any -> new SeenStore(opened));
          present.add(store);
          survey(table, store, seen);
          add(table, seen, sizes);
        }
      }
    }
    stores.keySet().retainAll(present);
    meters.show(sizes, tables);
    traffic.passed((nanos - lastRound) / SECOND);
    lastRound = nanos;
    fallbacks.report(nanos);
  }

  private void survey(TableName table, Store store, SeenStore seen) {
    try {
      Collection<? extends StoreFile> list = store.getStorefiles();
      if (list != seen.list) {
        boolean complete = locateNew(table, list, seen);
        seen.list = complete ? list : null;
        seen.known |= complete;
      }
      countReads(table, store, seen);
    } catch (RuntimeException e) {
      failures.accept(e);
    }
  }

  /** Locates new files. Returns whether all files are located. */
  private boolean locateNew(TableName table, Collection<? extends StoreFile> list, SeenStore seen) {
    Set<String> present = new HashSet<>();
    for (StoreFile file : list) {
      StoreFileReader reader = file instanceof HStoreFile own ? own.getReader() : null;
      if (reader == null || file.isReference()) {
        continue;
      }
      String path =
          Path.getPathWithoutSchemeAndAuthority(
                  reader.getReaderContext().getInputStreamWrapper().getReaderPath())
              .toString();
      present.add(path);
      if (!seen.files.containsKey(path) && lookups < MAX_LOOKUPS && unanswered < MAX_UNANSWERED) {
        locate(table, path, (HStoreFile) file, seen);
      }
    }
    seen.files.keySet().retainAll(present);
    return seen.files.size() == present.size();
  }

  /** Asks for the places of a file. Counts them, once, if the file is new. */
  private void locate(TableName table, String path, HStoreFile file, SeenStore seen) {
    lookups++;
    try {
      LocatedFile located = locator.locate(path);
      unanswered = 0;
      if (located != null) {
        seen.files.put(path, located);
        if (seen.isNew(file)) {
          written(table, path, FileKind.of(file), located);
        }
        return;
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} has gone", path, e);
    } catch (IOException e) {
      unanswered++;
      failures.accept(e);
    } catch (RuntimeException e) {
      failures.accept(e);
    }
    metrics.unlocated();
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
