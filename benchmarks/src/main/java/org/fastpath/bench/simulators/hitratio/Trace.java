package org.fastpath.bench.simulators.hitratio;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The reads of blocks, in order.
 *
 * @param reads block by block, from 0
 * @param scans the positions in {@code reads} that belong to scans and do not count for the hit
 *     ratio
 * @param lengths bytes of each block
 */
record Trace(String name, int[] reads, BitSet scans, int[] lengths) {
  int blocks() {
    return lengths.length;
  }

  long bytes() {
    return IntStream.of(lengths).asLongStream().sum();
  }

  boolean counts(int place) {
    return !scans.get(place);
  }
}
