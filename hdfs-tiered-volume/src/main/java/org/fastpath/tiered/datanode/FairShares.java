package org.fastpath.tiered.datanode;

/**
 * Byte-weighted round-robin: the volume with the smallest part of its share is next. Replicas of
 * unequal size even out, as with deficits [1]. Replicas of equal size go round in the order of the
 * volumes. A volume without room forfeits its missed share; otherwise it would get all writes as
 * soon as it has room. A new volume begins with the bytes of the others.
 *
 * <p>The only state is that of the volumes, and there is no lock. Two threads that choose at the
 * same moment may take the same volume, whose next turn is then later.
 *
 * <ol>
 *   <li>M. Shreedhar, G. Varghese: Efficient Fair Queueing Using Deficit Round-Robin, SIGCOMM 1995
 * </ol>
 */
final class FairShares {
  private FairShares() {}

  /**
   * Returns the index of the next volume with room.
   *
   * @param weights shares of the volumes; 0 excludes a volume
   * @param room bytes that the free space must exceed
   * @return negative if no volume has room
   */
  static int next(VolumeGroup group, double[] weights, long room) {
    int first = least(group, weights, Long.MIN_VALUE);
    if (first < 0 || VolumeChooser.hasRoom(group.load(first), room)) {
      return first;
    }
    int chosen = least(group, weights, room);
    if (chosen >= 0) {
      forfeit(group, weights, chosen);
    }
    return chosen;
  }

  private static int least(VolumeGroup group, double[] weights, long room) {
    int chosen = -1;
    double least = Double.MAX_VALUE;
    for (int i = 0; i < group.size(); i++) {
      VolumeLoad load = group.load(i);
      double share = weights[i] > 0 ? load.share().shareBytes() / weights[i] : Double.MAX_VALUE;
      if (share < least && (room == Long.MIN_VALUE || VolumeChooser.hasRoom(load, room))) {
        chosen = i;
        least = share;
      }
    }
    return chosen;
  }

  private static void forfeit(VolumeGroup group, double[] weights, int chosen) {
    double share = group.load(chosen).share().shareBytes() / weights[chosen];
    for (int i = 0; i < group.size(); i++) {
      if (i != chosen) {
        group.load(i).share().forfeitUpTo((long) (share * weights[i]));
      }
    }
  }
}
