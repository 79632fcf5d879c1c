package org.fastpath.bench.workloads.hdfs;

import java.nio.DoubleBuffer;

/**
 * Loops that add up doubles. Addition of doubles is not associative, so that the JIT neither
 * vectorizes the plain loop nor breaks its chain of additions, each of which waits for the one
 * before.
 */
enum SumLoop {
  /** As anybody would write it; the CPU's latency of an addition is its limit. */
  PLAIN("plain") {
    @Override
    double sum(DoubleBuffer values) {
      double sum = 0;
      for (int i = 0; i < values.limit(); i++) {
        sum += values.get(i);
      }
      return sum;
    }
  },
  /** Eight chains side by side, so many as the CPU has additions in flight; memory limits it. */
  ACCUMULATORS("8 accumulators") {
    @Override
    double sum(DoubleBuffer values) {
      double a = 0;
      double b = 0;
      double c = 0;
      double d = 0;
      double e = 0;
      double f = 0;
      double g = 0;
      double h = 0;
      int whole = values.limit() & -CHAINS;
      for (int i = 0; i < whole; i += CHAINS) {
        a += values.get(i);
        b += values.get(i + 1);
        c += values.get(i + 2);
        d += values.get(i + 3);
        e += values.get(i + 4);
        f += values.get(i + 5);
        g += values.get(i + 6);
        h += values.get(i + 7);
      }
      for (int i = whole; i < values.limit(); i++) {
        a += values.get(i);
      }
      return ((a + b) + (c + d)) + ((e + f) + (g + h));
    }
  };

  private static final int CHAINS = 8;

  private final String label;

  SumLoop(String label) {
    this.label = label;
  }

  /** The name in results and in the report. */
  String label() {
    return label;
  }

  /** The sum of all values from 0 to the limit. */
  abstract double sum(DoubleBuffer values);
}
