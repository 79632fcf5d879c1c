package org.fastpath.tiered.datanode;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.fastpath.tiered.datanode.VolumeStatistics.Signal;

/**
 * The volumes of one storage type, which are peers. Their order is fixed. Any thread may choose
 * among them. Only one thread at a time calls {@link #rank}.
 */
final class VolumeGroup {
  /** 2^64 over the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final double ALIKE = 1.25;

  /** The time constant of shares, as a multiple of that of costs. */
  private static final double FAIR_WINDOWS = 24;

  private final VolumeLoad[] loads;
  private final double[] known;
  private final AtomicLong draws = new AtomicLong();
  private final AtomicLong choicesSinceProbe = new AtomicLong();
  private final Ranking equal;
  private volatile Ranking ranking;
  private volatile long rankedNanos;

  VolumeGroup(VolumeLoad... loads) {
    this.loads = loads.clone();
    known = new double[loads.length];
    equal = Ranking.equal(loads);
    ranking = equal;
    joinNew();
  }

  /** Adds new volumes. A new volume begins with as many bytes as the volume with the fewest. */
  private void joinNew() {
    long least = Long.MAX_VALUE;
    for (VolumeLoad load : loads) {
      if (load.share().hasJoined()) {
        least = Math.min(least, load.share().shareBytes());
      }
    }
    for (VolumeLoad load : loads) {
      if (!load.share().hasJoined()) {
        load.share().join(least == Long.MAX_VALUE ? 0 : least);
      }
    }
  }

  int size() {
    return loads.length;
  }

  VolumeLoad load(int index) {
    return loads[index];
  }

  /** Returns the last ranking. */
  Ranking ranking() {
    return ranking;
  }

  /** Returns equal shares. */
  Ranking equal() {
    return equal;
  }

  /** Returns the time of the last ranking. */
  long rankedNanos() {
    return rankedNanos;
  }

  /**
   * Returns the next number from 0 to 1 of a sequence that fills the range evenly: multiples of the
   * golden ratio. Draws by it alternate between volumes in proportion to their weights.
   */
  double nextFraction() {
    return (draws.getAndAdd(GOLDEN) >>> 11) * 0x1.0p-53;
  }

  /** Counts a choice. Returns the choices since the last probe, this one included. */
  long countChoice() {
    return choicesSinceProbe.incrementAndGet();
  }

  void probed() {
    choicesSinceProbe.set(0);
  }

  /** Observes all volumes and computes their shares. */
  void rank(long nowNanos, VolumeChoiceOptions options) {
    long passed = Math.max(0, nowNanos - rankedNanos);
    rankedNanos = nowNanos;
    for (VolumeLoad load : loads) {
      load.observe(nowNanos, options);
    }
    PeerCosts peers = peerCosts();
    boolean informed = false;
    int eligible = 0;
    for (VolumeLoad load : loads) {
      load.judge(nowNanos, peers, options);
    }
    capExclusions(nowNanos);
    for (VolumeLoad load : loads) {
      informed |= load.statistics().isInformed();
      eligible += load.isEligible() ? 1 : 0;
    }
    double kept = Math.exp(-passed / (FAIR_WINDOWS * options.windowNanos()));
    Progress progress = ranking.progress().next(loads, ranking.weights(), kept);
    ranking = shares(eligible, informed, progress, options);
  }

  /**
   * Evidence ages. If over half of the volumes are excluded as slow, readmits the one excluded
   * longest, until half remain.
   */
  private void capExclusions(long nowNanos) {
    int slow = 0;
    for (VolumeLoad load : loads) {
      slow += isSlow(load) ? 1 : 0;
    }
    for (; slow > loads.length / 2; slow--) {
      VolumeLoad first = null;
      for (VolumeLoad load : loads) {
        if (isSlow(load) && (first == null || load.excludedNanos() - first.excludedNanos() < 0)) {
          first = load;
        }
      }
      first.readmitUnproven(nowNanos);
    }
  }

  private static boolean isSlow(VolumeLoad load) {
    return load.condition() == VolumeCondition.SLOW;
  }

  private PeerCosts peerCosts() {
    double[] costs = new double[Signal.values().length];
    for (Signal signal : Signal.values()) {
      costs[signal.ordinal()] =
          lowerMedian(signal, load -> load.statistics().estimate(signal).cost());
    }
    return new PeerCosts(
        costs,
        lowerMedian(Signal.TRANSFER, load -> load.statistics().mostTransferCost()),
        lowerMedian(VolumeLoad::isMeasuredAndHealthy, VolumeLoad::excessWaitNanos));
  }

  /**
   * Returns the cost that half of the volumes do not exceed. So at most half of them can be much
   * slower, and of two volumes it is the faster one's cost.
   */
  private double lowerMedian(Signal signal, ToDoubleFunction<VolumeLoad> cost) {
    return lowerMedian(load -> load.statistics().estimate(signal).isKnown(), cost);
  }

  private double lowerMedian(Predicate<VolumeLoad> counts, ToDoubleFunction<VolumeLoad> cost) {
    int count = 0;
    for (VolumeLoad load : loads) {
      if (counts.test(load)) {
        known[count++] = cost.applyAsDouble(load);
      }
    }
    Arrays.sort(known, 0, count);
    return count == 0 ? 0 : known[(count - 1) / 2];
  }

  private Ranking shares(
      int eligible, boolean informed, Progress progress, VolumeChoiceOptions options) {
    double[] weights = new double[loads.length];
    double[] slowness = new double[loads.length];
    double mean = meanAvailable();
    double total = 0;
    for (int i = 0; i < loads.length; i++) {
      slowness[i] = clip(loads[i].slowness(), options.slowRatio());
      if (eligible == 0 || loads[i].isEligible()) {
        weights[i] =
            room(loads[i], mean, Math.sqrt(options.balanceFactor())) / noticeable(slowness[i]);
        total += weights[i];
      }
    }
    return new Ranking(weights, total, slowness, informed, eligible == loads.length, progress);
  }

  /** Returns the slowness, rounded to 1 within a quarter. */
  private static double noticeable(double slowness) {
    return clip(slowness, ALIKE) == slowness ? 1 : slowness;
  }

  private double meanAvailable() {
    double sum = 0;
    int count = 0;
    for (VolumeLoad load : loads) {
      if (load.knownAvailableBytes() >= 0) {
        sum += load.knownAvailableBytes();
        count++;
      }
    }
    return sum > 0 ? sum / count : 0;
  }

  private static double room(VolumeLoad load, double mean, double most) {
    long available = load.knownAvailableBytes();
    return available < 0 || mean == 0 ? 1 : clip(available / mean, most);
  }

  private static double clip(double ratio, double most) {
    return Math.max(1 / most, Math.min(most, ratio));
  }
}
