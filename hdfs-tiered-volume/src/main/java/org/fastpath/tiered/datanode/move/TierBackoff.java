package org.fastpath.tiered.datanode.move;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;

/**
 * Which types of volumes have no room, so that thousands of files for a full tier do not ask the
 * NameNode one by one. While a type is full, one file at a time tries it, after pauses that double.
 * When so many tries in a row found no room, the requests for it are given up. Thread-safe.
 */
final class TierBackoff {
  private static final long LONGEST_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final int MOST_DOUBLINGS = 20;

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

  /** A file found no room on volumes of these types. */
  synchronized void foundFull(Set<StorageType> types) {
    for (StorageType type : types) {
      Full known = full.computeIfAbsent(type, any -> new Full());
      // Files that looked at the same time say nothing new.
      if (known.trying) {
        pause(known, known.tries++);
      }
    }
  }

  private void pause(Full known, int doublings) {
    long millis = firstMillis << Math.min(doublings, MOST_DOUBLINGS);
    known.trying = false;
    known.dueNanos =
        clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, LONGEST_MILLIS));
  }

  /** Something was moved to a volume of that type. */
  synchronized void hasRoom(StorageType type) {
    full.remove(type);
  }

  /** Whether a file that needs these types may try now; if one is full, no other file may. */
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

  /** Whether one of these types was tried so often that files for it are given up. */
  synchronized boolean isHopeless(Set<StorageType> types) {
    return types.stream()
        .map(full::get)
        .anyMatch(known -> known != null && known.tries >= attempts);
  }
}
