package org.fastpath.tiered.regionserver.guard;

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/** An overload in words, for who has to do something about it. */
final class OverloadReport {
  private static final double MEGA = 1 << 20;
  private static final double PERCENT = 100;

  private OverloadReport() {}

  static String of(LoadState state, ServerWatch.Counts counts, TierTraffic traffic, long allowed) {
    StringBuilder text = new StringBuilder();
    Optional<StorageType> type = traffic.flushType();
    String tier = type.map(StorageType::name).orElse("the tier of store files");
    text.append("Writes come in at ")
        .append(rate(state.demand()))
        .append(" while they are let in, and flushes to ")
        .append(tier)
        .append(" take ")
        .append(rate(state.capacity()))
        .append("; HBase held writes up ")
        .append(Math.round(state.blockedShare() * PERCENT))
        .append(" % of the time.");
    type.ifPresent(known -> text.append(written(known, traffic.of(known))));
    text.append(counts.fullStores() > 0 ? full(counts.fullStores()) : behind(type));
    text.append(
        " A log that is faster than the store files' tier does not help under such a load.");
    text.append(
        allowed > 0
            ? " Writes are throttled to " + rate(allowed) + "."
            : " " + GuardOptions.THROTTLE + " would hold them to what is taken.");
    return text.toString();
  }

  private static String written(StorageType type, TierTraffic.Rates rates) {
    return " Of late flushes wrote %s and compactions %s to %s, all replicas."
        .formatted(rate(rates.flushes()), rate(rates.compactions()), type);
  }

  private static String full(int stores) {
    return " %d stores have hbase.hstore.blockingStoreFiles files and wait for compactions:"
            .formatted(stores)
        + " more of hbase.regionserver.thread.compaction.small,"
        + " hbase.hstore.compaction.throughput.higher.bound and .lower.bound, or a faster policy in"
        + " hbase.fastpath.tiering.compaction let these catch up.";
  }

  private static String behind(Optional<StorageType> type) {
    return " More of hbase.hstore.flusher.count helps if the volumes are not busy; if they are, more"
        + " volumes"
        + type.map(known -> " of type " + known).orElse("")
        + ", compression, or a faster policy in hbase.fastpath.tiering.flush do.";
  }

  private static String rate(double bytes) {
    return String.format(Locale.ROOT, "%.1f MB/s", Math.max(0, bytes) / MEGA);
  }
}
