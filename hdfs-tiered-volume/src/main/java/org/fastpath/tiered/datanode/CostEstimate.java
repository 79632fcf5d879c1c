package org.fastpath.tiered.datanode;

/**
 * Estimates the recent cost of a unit of work from two growing sums, time and work. Both decay
 * exponentially. The estimate is a ratio of sums, not a mean of ratios, so a period with little
 * work has little weight. Not thread-safe.
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

  /** Forgets all observations. Work until now does not count. */
  void reset(long totalNanos, long totalWork) {
    nanos = 0;
    work = 0;
    pending = 0;
    workSinceReset = 0;
    skip(totalNanos, totalWork);
  }

  /** Skips the work since the last observation. */
  void skip(long totalNanos, long totalWork) {
    nanosSinceLast = 0;
    workSinceLast = 0;
    lastNanos = totalNanos;
    lastWork = totalWork;
  }

  /**
   * Adds the work since the last observation.
   *
   * @param decay the remaining weight of earlier observations
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
   * Counts operations in flight as done to the degree that the known cost allows. They are evidence
   * from the moment at which they should have ended.
   */
  void expect(long stalledNanos, double workInFlight) {
    pending = work == 0 ? 0 : Math.min(workInFlight, stalledNanos * work / nanos);
  }

  /** Returns whether the cost is known. */
  boolean isKnown() {
    return work > 0 && nanos > 0;
  }

  /** Returns nanoseconds per unit of work. */
  double cost() {
    return nanos / (work + pending);
  }

  /** Returns the time spent. */
  double spentNanos() {
    return nanos;
  }

  /** Returns the time of the same work at another cost. */
  double expectedNanos(double cost) {
    return (work + pending) * cost;
  }

  long workSinceReset() {
    return workSinceReset;
  }

  /** Returns the time between the last observation and the one before. */
  long nanosSinceLast() {
    return nanosSinceLast;
  }

  /** Returns the work between the last observation and the one before. */
  long workSinceLast() {
    return workSinceLast;
  }
}
