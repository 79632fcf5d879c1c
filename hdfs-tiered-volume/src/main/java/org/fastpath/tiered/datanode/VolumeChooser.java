package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Chooses. */
final class VolumeChooser {
  /** No volume has room. */
  static final int NONE = -1;

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
          ranks.informed() ? draw(group, ranks) : FairShares.next(group, ranks.weights(), room);
      if (chosen == NONE || !hasRoom(group.load(chosen), room)) {
        chosen = anyWithRoom(group, ranks, room);
      }
    }
    if (chosen != NONE) {
      group.load(chosen).chosen(bytes);
    }
    return chosen;
  }

  /** Looks at the volumes; for somebody who does so when no replica comes for long. */
  void rank(VolumeGroup group) {
    rankIfDue(group, clock.getAsLong());
  }

  private void rankIfDue(VolumeGroup group, long now) {
    long passed = now - group.rankedNanos();
    boolean due = passed >= RANKING_NANOS || passed < 0;
    if (due && ranking.compareAndSet(false, true)) {
      try {
        group.rank(now, options);
      } finally {
        ranking.set(false);
      }
    }
  }

  /** One that was left out, if it is time. */
  private int probe(VolumeGroup group, long now, long room) {
    if (group.countChoice() < options.choicesPerProbe()) {
      return NONE;
    }
    for (int i = 0; i < group.size(); i++) {
      VolumeLoad load = group.load(i);
      if (load.tryProbe(now)) {
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

  /** The one of two with the shorter queue. */
  private int draw(VolumeGroup group, Ranking ranks) {
    int first = ranks.draw(unit());
    int other = ranks.drawOther(unit(), first);
    return wait(group, ranks, other) < wait(group, ranks, first) ? other : first;
  }

  private double unit() {
    return (random.getAsLong() >>> 11) * UNIT;
  }

  private static double wait(VolumeGroup group, Ranking ranks, int index) {
    return group.load(index).inFlightBytes() * ranks.slowness()[index];
  }

  /** The shortest queue, of volumes that are left out only if no other has room. */
  private static int anyWithRoom(VolumeGroup group, Ranking ranks, long room) {
    int chosen = NONE;
    for (int i = 0; i < group.size(); i++) {
      if (goesBefore(group, ranks, i, chosen) && hasRoom(group.load(i), room)) {
        chosen = i;
      }
    }
    return chosen;
  }

  private static boolean goesBefore(VolumeGroup group, Ranking ranks, int index, int chosen) {
    if (chosen == NONE) {
      return true;
    }
    boolean takesPart = ranks.weights()[index] > 0;
    boolean chosenDoes = ranks.weights()[chosen] > 0;
    return takesPart == chosenDoes
        ? wait(group, ranks, index) < wait(group, ranks, chosen)
        : takesPart;
  }

  /** Whether a volume has more than so many bytes, which stock policies ask for, too. */
  static boolean hasRoom(VolumeLoad load, long bytes) {
    try {
      if (load.availableBytes() > bytes) {
        return true;
      }
    } catch (IOException e) {
      // A volume that cannot say has none.
    }
    load.foundFull();
    return false;
  }
}
