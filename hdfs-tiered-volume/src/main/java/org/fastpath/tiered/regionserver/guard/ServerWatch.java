package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import java.lang.management.MemoryType;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.Store;

/**
 * Samples the logs, memstores and stores of a RegionServer. A sample sums up counters that HBase
 * keeps. It takes no lock of HBase and makes no call. Not thread-safe, but any thread may read the
 * counts of the last sample.
 */
final class ServerWatch implements AutoCloseable {
  /** The share of a region's blocking size from which its flush is overdue. */
  private static final double OVERDUE = 0.5;

  private final RegionServerServices server;
  private final WalMeter wal = new WalMeter();
  private final double lowerMark;
  private final long blockMultiplier;
  private Map<Region, Seen> seen = new IdentityHashMap<>();
  private long drained;
  private volatile Counts counts = new Counts(0, 0, 0);

  /**
   * The counts of the last sample.
   *
   * @param blockedRegions regions that accept no writes because of their memstores
   * @param fullStores stores with so many files that they are not flushed
   * @param drainedBytes of memstores written to store files since the start
   */
  record Counts(int blockedRegions, int fullStores, long drainedBytes) {}

  /**
   * The counters of a region at the last sample.
   *
   * @param writes write requests
   * @param flushed bytes of its memstores
   */
  private record Seen(long writes, long flushed) {}

  ServerWatch(RegionServerServices server) {
    Configuration conf = server.getConfiguration();
    this.server = server;
    boolean onHeap = MemorySizeUtil.getGlobalMemStoreSize(conf).getSecond() == MemoryType.HEAP;
    lowerMark = MemorySizeUtil.getGlobalMemStoreHeapLowerMark(conf, onHeap);
    blockMultiplier =
        conf.getLong(
            HConstants.HREGION_MEMSTORE_BLOCK_MULTIPLIER,
            HConstants.DEFAULT_HREGION_MEMSTORE_BLOCK_MULTIPLIER);
  }

  /** Returns the bytes appended to logs since the first sample. */
  long ingestedBytes() {
    return wal.bytes();
  }

  Counts counts() {
    return counts;
  }

  LoadSample sample(long nanos) throws IOException {
    wal.watch(server.getWALs());
    Survey survey = new Survey();
    List<? extends Region> regions = server.getRegions();
    for (Region region : regions) {
      if (!region.getTableDescriptor().getTableName().isSystemTable()) {
        survey.add(region);
      }
    }
    seen = survey.now;
    drained += survey.flushed;
    counts = new Counts(survey.blocked, survey.full, drained);
    double fill = server.getRegionServerAccounting().getFlushPressure() * lowerMark;
    boolean stopped = fill >= 1;
    return new LoadSample(
        nanos,
        wal.bytes(),
        drained,
        Math.max(beyond(fill, lowerMark), beyond(survey.fill(), OVERDUE)),
        stopped ? 1 : survey.blockedShare());
  }

  /** Returns 0 at the mark and 1 at the limit. */
  private static double beyond(double fill, double mark) {
    return mark < 1 ? (fill - mark) / (1 - mark) : fill - mark;
  }

  @Override
  public void close() {
    wal.close();
  }

  /** Sums up regions. */
  private final class Survey {
    private final Map<Region, Seen> now = new IdentityHashMap<>();
    private int blocked;
    private int full;
    private int active;
    private long flushed;
    private long memStores;
    private long limits;

    void add(Region region) {
      Seen before = seen.get(region);
      long flushedBefore = before == null ? 0 : before.flushed;
      long flushedNow = 0;
      for (Store store : region.getStores()) {
        flushedNow += store.getFlushedCellsSize();
        full += store.hasTooManyStoreFiles() ? 1 : 0;
      }
      now.put(region, new Seen(region.getWriteRequestsCount(), flushedNow));
      flushed += Math.max(0, flushedNow - flushedBefore);
      if (region instanceof HRegion own) {
        addMemStore(own, before);
      }
    }

    private void addMemStore(HRegion region, Seen before) {
      long size = region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize();
      long limit = region.getMemStoreFlushSize() * blockMultiplier;
      boolean isBlocked = size > limit;
      boolean written = before != null && region.getWriteRequestsCount() > before.writes;
      if (isBlocked || written) {
        active++;
        memStores += size;
        limits += limit;
      }
      blocked += isBlocked ? 1 : 0;
    }

    double fill() {
      return limits == 0 ? 0 : (double) memStores / limits;
    }

    double blockedShare() {
      return active == 0 ? 0 : (double) blocked / active;
    }
  }
}
