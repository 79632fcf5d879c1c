package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Chooses the volume of a replica among those of one storage type.
 *
 * <p>A volume is a queue whose service is measured. The chooser draws four volumes, with
 * probabilities by their speed, and takes the one with the shortest wait. The wait is the bytes
 * that its writers will soon bring, times its slowness. So at light load volumes get bytes in
 * proportion to their speed, and at full load all are busy. If two volumes have no queue, the one
 * that is behind with its share of the bytes is chosen.
 *
 * <p>A volume is excluded if it fails or is four times as slow as the lower median of its peers.
 * Probes find out when it is healthy again. A stalled volume is skipped until an operation ends. At
 * most half of the volumes are excluded as slow, and if none is left, all are used. A choice fails
 * only if no volume has room.
 *
 * <p>{@code docs/design/volume-choice.md} has the argument, the papers, and the reason of each
 * number.
 *
 * <p>Thread-safe: a choice takes no lock and allocates nothing. The class does no I/O. Clock,
 * random numbers and volumes are parameters, so a simulation drives the same class.
 */
final class VolumeChooser {
  /** No volume has room. */
  static final int NONE = -1;

  private static final int DRAWS = 4;
  private static final int NEGLIGIBLE = 8;
  private static final long RANKING_NANOS = 100_000_000;
  private static final double UNIT = 0x1.0p-53;

  private final VolumeChoiceOptions options;
  private final LongSupplier clock;
  private final LongSupplier random;
  private final AtomicBoolean ranking = new AtomicBoolean();

  /**
   * @param clock nanoseconds that do not go back
   * @param random 64 random bits
   */
  VolumeChooser(VolumeChoiceOptions options, LongSupplier clock, LongSupplier random) {
    this.options = options;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Chooses a volume.
   *
   * @return its index, or {@link #NONE}
   */
  int choose(VolumeGroup group, long bytes) {
    long now = clock.getAsLong();
    rankIfDue(group, now);
    Ranking ranks = group.ranking();
    long room = bytes + options.additionalBytes();
    int chosen = ranks.complete() ? NONE : probe(group, now, room);
    if (chosen == NONE) {
      chosen =
          ranks.informed()
              ? draw(group, ranks, bytes)
              : FairShares.next(group, ranks.weights(), room);
      if (chosen == NONE || !hasRoom(group.load(chosen), room)) {
        chosen = anyWithRoom(group, ranks, bytes, room);
      }
    }
    if (chosen != NONE) {
      group.load(chosen).share().chosen(bytes);
    }
    return chosen;
  }

  /** Ranks the volumes, for a caller that does so while no replica arrives. */
  void rank(VolumeGroup group) {
    rankIfDue(group, clock.getAsLong());
  }

  private void rankIfDue(VolumeGroup group, long now) {
    if (isDue(group, now) && ranking.compareAndSet(false, true)) {
      try {
        // Another thread may have ranked since this one read the clock.
        long latest = clock.getAsLong();
        if (isDue(group, latest)) {
          group.rank(latest, options);
        }
      } finally {
        ranking.set(false);
      }
    }
  }

  private static boolean isDue(VolumeGroup group, long now) {
    long passed = now - group.rankedNanos();
    return passed >= RANKING_NANOS || passed < 0;
  }

  /** Returns an excluded volume whose probe is due. */
  private int probe(VolumeGroup group, long now, long room) {
    long choices = group.countChoice();
    for (int i = 0; i < group.size(); i++) {
      VolumeLoad load = group.load(i);
      if (load.tryProbe(now, choices, options)) {
        if (hasRoom(load, room)) {
          group.probed();
          load.probed();
          return i;
        }
        load.probeRefused();
      }
    }
    return NONE;
  }

  /**
   * Returns the volume with the shortest queue of some that are drawn. Without queues, it returns
   * the one that is behind with its share.
   */
  private int draw(VolumeGroup group, Ranking ranks, long bytes) {
    int best = ranks.draw(group.nextFraction());
    double least = wait(group, ranks, best, bytes);
    for (int i = 1; i < DRAWS; i++) {
      int other = ranks.drawOther(unit(), best);
      double wait = wait(group, ranks, other, bytes);
      if (isNegligible(least, bytes)) {
        return isNegligible(wait, bytes) && ranks.isBehind(group, other, best) ? other : best;
      }
      if (wait < least) {
        best = other;
        least = wait;
      }
    }
    return best;
  }

  private static boolean isNegligible(double wait, long bytes) {
    return wait * NEGLIGIBLE <= bytes;
  }

  private double unit() {
    return (random.getAsLong() >>> 11) * UNIT;
  }

  private static double wait(VolumeGroup group, Ranking ranks, int index, long bytes) {
    return group.load(index).queuedBytes(bytes) * ranks.slowness()[index];
  }

  /**
   * Returns the volume with the shortest queue. Excluded volumes count only if no other has room.
   */
  private static int anyWithRoom(VolumeGroup group, Ranking ranks, long bytes, long room) {
    int chosen = NONE;
    for (int i = 0; i < group.size(); i++) {
      if (isBetter(group, ranks, bytes, i, chosen) && hasRoom(group.load(i), room)) {
        chosen = i;
      }
    }
    return chosen;
  }

  private static boolean isBetter(
      VolumeGroup group, Ranking ranks, long bytes, int index, int chosen) {
    if (chosen == NONE) {
      return true;
    }
    boolean takesPart = ranks.weights()[index] > 0;
    boolean chosenDoes = ranks.weights()[chosen] > 0;
    return takesPart == chosenDoes
        ? wait(group, ranks, index, bytes) < wait(group, ranks, chosen, bytes)
        : takesPart;
  }

  /** Returns whether a volume has more free bytes than these, like stock policies. */
  static boolean hasRoom(VolumeLoad load, long bytes) {
    try {
      if (load.availableBytes() > bytes) {
        return true;
      }
    } catch (IOException e) {
      // An unknown volume has no room.
    }
    load.foundFull();
    return false;
  }
}
