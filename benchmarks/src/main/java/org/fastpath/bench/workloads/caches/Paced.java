package org.fastpath.bench.workloads.caches;

import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.fastpath.bench.engine.Lines;

/**
 * Times an operation that one thread does at a fixed pace. It spins in between. Machines stall too,
 * so the thread times an empty operation after each one, as a control. The longest time of the
 * control is caused by the scheduler and the garbage collector, and no cache can be better.
 */
final class Paced {
  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};
  static final int DIGITS = 3;
  private final Histogram times = new Histogram(DIGITS);
  private final Histogram nothing = new Histogram(DIGITS);
  private final long paceNanos;
  private final Operation operation;

  interface Operation {
    /** Does it once; returns the nanoseconds that count, or a negative number for none. */
    long run();
  }

  Paced(long paceNanos, Operation operation) {
    this.paceNanos = paceNanos;
    this.operation = operation;
  }

  /**
   * Repeats the operation until the condition is met. If one is slow, the operations that are due
   * meanwhile count as late if {@code late} is set. So a long stall has its weight.
   */
  void until(BooleanSupplier done, boolean late) {
    for (long next = System.nanoTime(); !done.getAsBoolean(); next += paceNanos) {
      next = late ? Math.max(next, System.nanoTime() - paceNanos) : next;
      while (System.nanoTime() < next) {
        Thread.onSpinWait();
      }
      long nanos = operation.run();
      long again = System.nanoTime();
      record(nothing, System.nanoTime() - again, late);
      if (nanos >= 0) {
        record(times, nanos, late);
      }
    }
  }

  private void record(Histogram histogram, long nanos, boolean late) {
    histogram.recordValueWithExpectedInterval(nanos, late ? paceNanos : 0);
  }

  /** Returns the number of operations that count. */
  long count() {
    return times.getTotalCount();
  }

  /** Forgets the warm-up. */
  void forget() {
    times.reset();
    nothing.reset();
  }

  /** Reports both distributions in microseconds. */
  void report(Lines.Sink sink, String name) {
    report(sink, name, times);
    report(sink, name + ".nothing", nothing);
  }

  /** Reports a distribution in microseconds. */
  static void report(Lines.Sink sink, String name, Histogram times) {
    for (double percentile : PERCENTILES) {
      String label = ".p" + Double.toString(percentile).replaceFirst("\\.0$", "");
      sink.figure(name + label, "us", times.getValueAtPercentile(percentile) / 1e3);
    }
    sink.figure(name + ".max", "us", times.getMaxValue() / 1e3);
  }
}
