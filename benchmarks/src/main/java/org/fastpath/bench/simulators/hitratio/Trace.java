package org.fastpath.bench.simulators.hitratio;

import java.util.BitSet;

/**
 * Which blocks were read, in order.
 *
 * @param name what it is
 * @param reads block by block, from 0
 * @param scans the places in {@code reads} that belong to scans and do not count for the hit ratio
 * @param lengths bytes of each block
 */
record Trace(String name, int[] reads, BitSet scans, int[] lengths) {
  /** Blocks that there are. */
  int blocks() {
    return lengths.length;
  }

  /** Bytes of all blocks. */
  long bytes() {
    long sum = 0;
    for (int length : lengths) {
      sum += length;
    }
    return sum;
  }

  /** Whether this read counts. */
  boolean counts(int place) {
    return !scans.get(place);
  }
}
