package org.fastpath.tiered.datanode;

/**
 * Byte-weighted round-robin: the volume that has had the least of its share is next. Replicas of
 * unequal size thus even out, as with deficits [1], and equal ones go round in the order of the
 * volumes. A volume without room forfeits what it misses, or it would get all writes when it has
 * room again; one that is new begins with what the others have.
 *
 * <p>No state but that of the volumes, no lock. Two threads that choose at the same moment may take
 * the same volume, which then waits for longer.
 *
 * <ol>
 *   <li>M. Shreedhar, G. Varghese: Efficient Fair Queueing Using Deficit Round-Robin, SIGCOMM 1995
 * </ol>
 */
final class FairShares {
  private FairShares() {}

  /**
   * The index of the next volume with room.
   *
   * @param weights their shares; one with 0 gets none
   * @param room bytes that it must have more of
   * @return negative if none has
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
