package org.fastpath.bench.simulators.hitratio;

import java.util.BitSet;

/**
 * The reads of blocks, in order.
 *
 * @param name its name
 * @param reads block by block, from 0
 * @param scans the positions in {@code reads} that belong to scans and do not count for the hit
 *     ratio
 * @param lengths bytes of each block
 */
record Trace(String name, int[] reads, BitSet scans, int[] lengths) {
  /** Returns the number of blocks. */
  int blocks() {
    return lengths.length;
  }

  /** Returns the bytes of all blocks. */
  long bytes() {
    long sum = 0;
    for (int length : lengths) {
      sum += length;
    }
    return sum;
  }

  /** Returns whether this read counts. */
  boolean counts(int place) {
    return !scans.get(place);
  }
}
