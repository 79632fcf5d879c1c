package org.fastpath.tiered.regionserver.guard;

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/** Describes an overload for the operator. */
final class OverloadReport {
  private static final double MEGA = 1 << 20;
  private static final double PERCENT = 100;

  private OverloadReport() {}

  static String of(LoadState state, ServerWatch.Counts counts, TierTraffic traffic, long allowed) {
    StringBuilder text = new StringBuilder();
    Optional<StorageType> type = traffic.flushType();
    String tier = type.map(StorageType::name).orElse("the tier of store files");
    text.append("Overload: writes arrive at ")
        .append(rate(state.demand()))
        .append(" while they are accepted, and flushes to ")
        .append(tier)
        .append(" take ")
        .append(rate(state.capacity()))
        .append("; HBase blocked writes ")
        .append(Math.round(state.blockedShare() * PERCENT))
        .append(" % of the time.");
    type.ifPresent(known -> text.append(written(known, traffic.of(known))));
    text.append(counts.fullStores() > 0 ? full(counts.fullStores()) : behind(type));
    text.append(" A log on a faster tier than the store files does not help under such a load.");
    text.append(
        allowed > 0
            ? " Writes are throttled to " + rate(allowed) + "."
            : " To throttle writes to this rate, set " + GuardOptions.THROTTLE + " to true.");
    return text.toString();
  }

  private static String written(StorageType type, TierTraffic.Rates rates) {
    return " Recently flushes wrote %s and compactions %s to %s, all replicas."
        .formatted(rate(rates.flushes()), rate(rates.compactions()), type);
  }

  private static String full(int stores) {
    return " %d stores have hbase.hstore.blockingStoreFiles files and wait for compactions."
            .formatted(stores)
        + " To speed up compactions, raise hbase.regionserver.thread.compaction.small and"
        + " hbase.hstore.compaction.throughput.higher.bound and .lower.bound, or set a faster"
        + " policy in hbase.fastpath.tiering.compaction.";
  }

  private static String behind(Optional<StorageType> type) {
    return " If the volumes are not busy, raise hbase.hstore.flusher.count. If they are busy, add"
        + " volumes"
        + type.map(known -> " of type " + known).orElse("")
        + " or compression, or set a faster policy in hbase.fastpath.tiering.flush.";
  }

  private static String rate(double bytes) {
    return String.format(Locale.ROOT, "%.1f MB/s", Math.max(0, bytes) / MEGA);
  }
}
