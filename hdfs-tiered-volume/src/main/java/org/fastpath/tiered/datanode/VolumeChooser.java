package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Chooses the volume of a replica among those of one storage type.
 *
 * <p><b>The idea.</b> A volume is a queue. Its service is measured: the time in which at least one
 * write was in flight, by the bytes that were written ({@link ServiceMeter}), forgotten with a time
 * constant ({@link CostEstimate}). Divided by what its peers need for the same work, the lower
 * median of them, that is its <em>slowness</em>. Its queue are the bytes that the writers of open
 * replicas will soon bring; times slowness, that is how long a newcomer waits. Of four volumes that
 * are drawn, each as likely as it is fast, the one with the shortest wait is chosen.
 *
 * <p><b>Why so.</b> With n queues and one drawn at random the longest is about log n / log log n,
 * with the shorter of two log log n / log 2, and each further draw gains a constant factor only
 * [1]. If servers differ, uniform draws can overload the slow ones while others idle; draws in
 * proportion to speed are stable wherever any policy is [2]. The shortest of all queues is best
 * while queues are known as they are, and the worst where that is late [3]: a replica's bytes are
 * reserved a moment after its volume was chosen, longer after it on a slow disk, and until then all
 * writers would take the same volume, the fastest. Speed decides how often a volume is drawn, the
 * queue which of those drawn is taken: at light load all queues are empty and volumes get bytes in
 * proportion to speed, so that reads stay spread; at full load all are kept busy, which no static
 * weighting does better. The first draw is no random one: volumes take turns. Of two that are drawn
 * and have no queue the one gets the replica that is behind with its share of the bytes ({@link
 * Progress}), so that it is bytes that even out, and not replicas, which differ in length. As two
 * choices do, that leaves volumes a few replicas apart; and who is behind, for whatever reason,
 * gets no more than twice its share until it has caught up, or two minutes later does not have to.
 *
 * <p>What an open replica may still bring, the rest of its block, is not what a newcomer waits for:
 * a log of HBase has a block of 256 MB open for hours and may write nothing, and its volume would
 * never be chosen again. Writers share a disk as a processor is shared: until the newcomer is done,
 * each of those that are at work has written as much as it, or is done as well. So the queue are
 * the bytes that were reserved of late, and of what has been reserved for long as many as the
 * newcomer brings, times the number of writers at work. That is by Little's law the time that
 * operations were in flight, added up, by the time that has passed: a log that writes now and then
 * is a part of one. "For long" is a mean over the window that follows what is reserved, and is
 * never above it. All of this is no more than what is reserved, or than half of what the newcomer
 * brings for each operation in flight, as if its writer were in the middle: for a log of HBase,
 * whose length nobody says, HDFS reserves a block of its default size, and nothing when the log is
 * longer. And a queue of less than an eighth of what the newcomer brings is none, so that a volume
 * with a log takes its turn while there is little to do.
 *
 * <p><b>What volumes share.</b> Behind a controller that is the limit a volume gets as much done as
 * it has writers, as long as it is not the limit itself. By the time in which writes were in flight
 * who has more of them is faster, is drawn more often, has the shorter wait, and in the end has
 * them all, at the speed of one disk, until it is slow and the next one has. What tells a shared
 * limit from a volume's own is how long a writer waits for a byte, the times of all operations
 * added up by the bytes: with a limit of its own a volume makes each wait the longer the more they
 * are, with a shared one all wait equally long. So a volume's share and its wait differ from its
 * peers' only as far as both measures say so. Volumes that do differ have such shares then that
 * their writers wait equally long, and none would gain by going elsewhere, which is Wardrop's
 * equilibrium [8]. Who is left out is decided by the first measure alone: a slow disk with one
 * writer may let it wait no longer than a fast one does many.
 *
 * <p>In simulation, with all that was reserved for a queue, eight disks of which four are half as
 * fast, all busy, write 94 % of what they can with one draw and all of it with two or more. The p99
 * of writes to eight healthy disks at half load is 0.97 s with two draws, 0.90 s with three, 0.85 s
 * with four, 0.80 s with all eight.
 *
 * <p><b>Disks that fail slowly.</b> A share in proportion is too much for a disk ten times as slow:
 * 1.4 % of the writes of a node of eight would wait for it, and be the p99 of clients. Such disks
 * are common: of the incidents of [4] most were permanent or partial slowdowns by factors of 2 to
 * 1000, some stopped for seconds and came back, and in [5] and [6] what told them from load was the
 * comparison with peers that do the same work at the same time, not a limit that somebody had set.
 * So from four times the cost of the median on, a volume gets none but probes. The reference is the
 * <em>lower</em> median: never can more than half of the volumes be four times as slow as that, so
 * that all are never excluded, which HDFS's own exclusion by absolute limits does (HDFS-17681), and
 * leaving them out costs at most a fifth of the bandwidth, which is what half of the disks at a
 * quarter of the speed are worth. Twice as slow, as four of eight SSDs behind one controller were,
 * is no fault; four is twice that. What was true of each at its time need not be of all at once:
 * disks that are slow in turn, while the files of each are compacted, and come back after many
 * choices only, would be out together. So when more than half are, those that were left out first
 * are taken back without a probe, as their evidence is the oldest.
 *
 * <p>Costs are means over seconds, which first have to forget what was before: a disk that is busy
 * all the time and becomes ten times as slow has four times the cost ten seconds later, and one of
 * sixty writes has gone to it by then. So what a volume keeps its writers waiting beyond four times
 * what peers need is added up as well, never below zero ({@link Lateness}). It is slow once that is
 * three quarters of a second more than half of its peers have: what keeps all of them waiting, a
 * pause of the process or a controller, says nothing of one.
 *
 * <p>A device that is stuck ends no operation, and an operation that has not ended has no latency.
 * Time in flight counts as it passes, and the bytes in flight count as written as far as they can
 * have been: an operation is evidence from the moment on at which it should have ended. A second
 * beyond that with none ending and the volume is left out until one does. A second is more than the
 * 200 ms for which the kernel holds a writer up, and less than clients wait.
 *
 * <p><b>Page cache.</b> Buffered writes return at the speed of memory until too many pages are
 * dirty, and tell nothing of the disk: its peers may need for the same bytes all the time that has
 * passed, and who is held up is slow only beside that. Else a disk that is in order, the first
 * whose pages are all dirty, would be hundreds of times as slow as those whose are not yet. Three
 * things do tell: writers are then held up, for which the measure above is right; syncs, files that
 * are made and renamed are measured apart, by their number, so that a volume with a log that is
 * synced is compared with what syncs cost elsewhere and not with disks that have none; and the
 * kernel's statistics of the device ({@link VolumeWatch}) say how long it was busy for what it
 * moved, for whomever: write-back, short-circuit reads, other programs. Operations and device are
 * two opinions; the one that is further from "like its peers" decides. A probe of a volume whose
 * device can be seen is judged by what the device wrote, not by what memory took.
 *
 * <p><b>Coming back.</b> What is left out is not measured, so it is sent a replica now and then:
 * not before 5 s, twice that after each failure up to a minute, and then one of 256 choices at
 * most, as a probe is slow by design and the p99 of clients has room for one in a hundred; before,
 * of a number that doubles as the time does, from 21 on: where few replicas are written, who was
 * left out by mistake is not so for an hour. A volume comes back at 0.7 of the ratio at which it
 * left, from 1 MB on, and one that leaves again within ten minutes goes on where its intervals
 * were: as with routes that flap [7], that bounds how often it can. A disk that has recovered is
 * thus back after a minute and a replica, or after 256 choices if they take longer.
 *
 * <p><b>Other constants.</b> 5 s of memory: some thousand packets of a busy disk. 250 ms of credit
 * at the peers' cost: nobody is slow who has not kept writers waiting for three quarters of a
 * second, and no wait counts for more than half a second, so that a hiccup is none. Within a
 * quarter of its peers' cost a volume is drawn as often as they are: that much differs between
 * volumes that are alike, and what is left of it queues see to. Free space changes the odds by a
 * factor of two at most (HDFS-8538 wanted balance; a flood of writes to a new disk is what one pays
 * for it with AvailableSpace), which with ten disks fills a new one about twice as fast as the
 * others. Three errors within half a minute are more than a replica that was deleted under a
 * reader. All volumes are looked at ten times a second, by whichever chooser finds it due; in
 * between choices read what that look found, and queues as they are.
 *
 * <p><b>Never worse than stock.</b> Where nothing is measured, volumes take turns, weighted ({@link
 * FairShares}). If all are left out, none is. If those drawn have no room, all that take part are
 * asked, then those left out. A choice fails if no volume has room, as with the stock policies.
 *
 * <ol>
 *   <li>M. Mitzenmacher: The Power of Two Choices in Randomized Load Balancing, IEEE TPDS 2001
 *   <li>A. Mukhopadhyay, R. Mazumdar: Analysis of Randomized Join-the-Shortest-Queue (JSQ) Schemes
 *       in Large Heterogeneous Processor-Sharing Systems, IEEE TCNS 2016
 *   <li>M. Mitzenmacher: How Useful Is Old Information?, IEEE TPDS 2000
 *   <li>H. Gunawi et al.: Fail-Slow at Scale: Evidence of Hardware Performance Faults in Large
 *       Production Systems, FAST 2018
 *   <li>B. Panda et al.: IASO: A Fail-Slow Detection and Mitigation Framework for Distributed
 *       Storage Services, USENIX ATC 2019
 *   <li>R. Lu et al.: Perseus: A Fail-Slow Detection Framework for Cloud Storage Systems, FAST 2023
 *   <li>C. Villamizar et al.: BGP Route Flap Damping, RFC 2439, 1998
 *   <li>J. G. Wardrop: Some Theoretical Aspects of Road Traffic Research, Proceedings of the
 *       Institution of Civil Engineers 1952
 * </ol>
 *
 * <p>Thread-safe; a choice takes no lock and allocates nothing. Without I/O of its own: clock,
 * random numbers and volumes are given to it, so that a simulation drives the same class.
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
      group.load(chosen).chosen(bytes);
    }
    return chosen;
  }

  /** Looks at the volumes; for somebody who does so when no replica comes for long. */
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

  /** One that was left out, if it is time. */
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
   * Of some that are drawn the one with the shortest queue; of two without one that which is behind
   * with its share.
   */
  private int draw(VolumeGroup group, Ranking ranks, long bytes) {
    int best = ranks.draw(group.turn());
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

  /** The shortest queue, of volumes that are left out only if no other has room. */
  private static int anyWithRoom(VolumeGroup group, Ranking ranks, long bytes, long room) {
    int chosen = NONE;
    for (int i = 0; i < group.size(); i++) {
      if (goesBefore(group, ranks, bytes, i, chosen) && hasRoom(group.load(i), room)) {
        chosen = i;
      }
    }
    return chosen;
  }

  private static boolean goesBefore(
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
