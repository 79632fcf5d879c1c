package org.fastpath.tiered.datanode.move;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;

/**
 * Remembers the full storage types, so that thousands of files for a full tier do not ask the
 * NameNode one by one. While a type is full, one file at a time tries it, after pauses that double.
 * After too many failed tries in a row, the requests for it fail. Thread-safe.
 */
final class TierBackoff {
  private static final long MAX_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final int MAX_DOUBLINGS = 20;

  private final long firstMillis;
  private final int attempts;
  private final LongSupplier clock;
  private final Map<StorageType, Full> full = new EnumMap<>(StorageType.class);

  private static final class Full {
    private int tries;
    private boolean trying = true;
    private long dueNanos;
  }

  TierBackoff(MoveOptions options, LongSupplier nanoClock) {
    firstMillis = options.backoffMillis();
    attempts = options.attempts();
    clock = nanoClock;
  }

  /** Reports that a file found no room on volumes of these types. */
  synchronized void foundFull(Set<StorageType> types) {
    for (StorageType type : types) {
      Full known = full.computeIfAbsent(type, any -> new Full());
      // Concurrent tries give no new information.
      if (known.trying) {
        pause(known, known.tries++);
      }
    }
  }

  private void pause(Full known, int doublings) {
    long millis = firstMillis << Math.min(doublings, MAX_DOUBLINGS);
    known.trying = false;
    known.dueNanos =
        clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, MAX_MILLIS));
  }

  /** Reports a move to a volume of that type. */
  synchronized void hasRoom(StorageType type) {
    full.remove(type);
  }

  /**
   * Returns whether a file that needs these types may try now. If a type is full, only one file
   * may.
   */
  synchronized boolean mayTry(Set<StorageType> types) {
    long now = clock.getAsLong();
    for (StorageType type : types) {
      Full known = full.get(type);
      if (known != null && now - known.dueNanos < 0) {
        return false;
      }
    }
    for (StorageType type : types) {
      Full known = full.get(type);
      if (known != null) {
        pause(known, known.tries);
        known.trying = true;
      }
    }
    return true;
  }

  /** Returns whether one of these types was tried so often that its requests fail. */
  synchronized boolean isExhausted(Set<StorageType> types) {
    return types.stream()
        .map(full::get)
        .anyMatch(known -> known != null && known.tries >= attempts);
  }
}
