package org.fastpath.bench.workloads.hdfs;

import java.nio.DoubleBuffer;

/**
 * Loops that add doubles. Addition of doubles is not associative. So the JIT neither vectorizes the
 * plain loop nor splits its chain of additions, in which each waits for the previous one.
 */
enum SumLoop {
  /** The usual loop; its limit is the latency of an addition. */
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
  /** Eight chains side by side, as many as the CPU can execute in parallel; memory is the limit. */
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

  /** The name in results and in the report. */
  final String label;

  SumLoop(String label) {
    this.label = label;
  }

  /** Returns the sum of all values from 0 to the limit. */
  abstract double sum(DoubleBuffer values);
}
