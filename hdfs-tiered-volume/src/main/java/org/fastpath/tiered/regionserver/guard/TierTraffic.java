package org.fastpath.tiered.regionserver.guard;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/**
 * The write rates of flushes and compactions on each storage type, in bytes of replicas a second.
 * One thread writes, any thread reads.
 */
final class TierTraffic {
  /** Seconds after which less than half of a file counts. */
  private static final double WINDOW = 60;

  private volatile Map<StorageType, Rates> rates = Map.of();
  private final Map<StorageType, Rates> sums = new EnumMap<>(StorageType.class);
  private double time;

  /** Bytes a second. */
  record Rates(double flushes, double compactions) {
    static final Rates NONE = new Rates(0, 0);

    private Rates plus(double flushed, double compacted) {
      return new Rates(flushes + flushed, compactions + compacted);
    }

    private Rates times(double factor) {
      return new Rates(flushes * factor, compactions * factor);
    }
  }

  void add(StorageType type, FileKind kind, long bytes) {
    Rates before = sums.getOrDefault(type, Rates.NONE);
    switch (kind) {
      case FLUSHED -> sums.put(type, before.plus(bytes, 0));
      case COMPACTED -> sums.put(type, before.plus(0, bytes));
      case LOADED -> {
        // Bulk-loaded files were written by another program at another time.
      }
    }
  }

  /** Sets the time in which the bytes since the last call were written. */
  void passed(double seconds) {
    time += seconds;
    if (time <= 0) {
      return;
    }
    Map<StorageType, Rates> now = new EnumMap<>(StorageType.class);
    sums.forEach((type, sum) -> now.put(type, sum.times(1 / time)));
    rates = now;
    double kept = Math.exp(-seconds / WINDOW);
    time *= kept;
    sums.replaceAll((type, sum) -> sum.times(kept));
  }

  /** Returns the type to which flushes write most. */
  Optional<StorageType> flushType() {
    Map<StorageType, Rates> now = rates;
    return now.keySet().stream()
        .filter(type -> now.get(type).flushes > 0)
        .max((one, other) -> Double.compare(now.get(one).flushes, now.get(other).flushes));
  }

  Rates of(StorageType type) {
    return rates.getOrDefault(type, Rates.NONE);
  }
}
