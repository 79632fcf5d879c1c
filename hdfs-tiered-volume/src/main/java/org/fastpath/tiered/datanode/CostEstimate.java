package org.fastpath.tiered.datanode;

/**
 * The recent cost of a unit of work, from two sums that only grow: time and work, each forgotten
 * exponentially. A ratio of sums, not a mean of ratios, so that a period in which little happened
 * weighs little. For one thread at a time.
 */
final class CostEstimate {
  private double nanos;
  private double work;
  private double pending;
  private long lastNanos;
  private long lastWork;
  private long workSinceReset;
  private long nanosSinceLast;
  private long workSinceLast;

  /** Forgets what it knew; what was done until now does not count. */
  void reset(long totalNanos, long totalWork) {
    nanos = 0;
    work = 0;
    pending = 0;
    workSinceReset = 0;
    skip(totalNanos, totalWork);
  }

  /** Leaves out what happened since the last observation. */
  void skip(long totalNanos, long totalWork) {
    nanosSinceLast = 0;
    workSinceLast = 0;
    lastNanos = totalNanos;
    lastWork = totalWork;
  }

  /**
   * Takes in what happened since the last observation.
   *
   * @param decay the weight that remains to what was known
   */
  void observe(long totalNanos, long totalWork, double decay) {
    long passed = Math.max(0, totalNanos - lastNanos);
    long done = Math.max(0, totalWork - lastWork);
    nanos = nanos * decay + passed;
    work = work * decay + done;
    workSinceReset += done;
    skip(totalNanos, totalWork);
    nanosSinceLast = passed;
    workSinceLast = done;
  }

  /**
   * Counts operations in flight as done as far as they can be at the cost known so far: they are
   * evidence from the moment on at which they should have ended.
   */
  void expect(long stalledNanos, double workInFlight) {
    pending = work == 0 ? 0 : Math.min(workInFlight, stalledNanos * work / nanos);
  }

  /** Whether there is anything to compare. */
  boolean isKnown() {
    return work > 0 && nanos > 0;
  }

  /** Nanoseconds per unit of work. */
  double cost() {
    return nanos / (work + pending);
  }

  /** The time that was spent. */
  double spentNanos() {
    return nanos;
  }

  /** The time that the same work takes at another cost. */
  double expectedNanos(double cost) {
    return (work + pending) * cost;
  }

  long workSinceReset() {
    return workSinceReset;
  }

  /** The time between the last observation and the one before. */
  long nanosSinceLast() {
    return nanosSinceLast;
  }

  /** What was done between the last observation and the one before. */
  long workSinceLast() {
    return workSinceLast;
  }
}
