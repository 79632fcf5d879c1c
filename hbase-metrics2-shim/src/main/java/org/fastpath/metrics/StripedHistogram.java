package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The histogram of a source. Buckets are striped by thread; number and total are cells of {@link
 * StripedLongs}. A value costs two plain additions and one atomic addition to a cell that other
 * processors rarely touch.
 *
 * <p>Memory: stripes × 6.5 KB; stripes are two per processor, from 2 to 16.
 */
final class StripedHistogram implements Distributed {
  private static final int MAX_STRIPES = 16;
  private static final int STRIPES =
      ThreadSlots.powerOfTwo(2 * Runtime.getRuntime().availableProcessors(), 2, MAX_STRIPES);
  private static final LogBuckets BUCKETS = LogBuckets.WIDE;

  /** 32 ints, 128 bytes, between the last bucket of a stripe and the first of the next. */
  private static final int STRIDE = BUCKETS.count() + 32;

  /**
   * With this limit, several threads at once cannot take a cell from below {@link #FULL} to 2^31.
   */
  private static final int MAX_AT_ONCE = 1 << 28;

  /** All cells are halved when one holds this much, in case no snapshot halves them. */
  private static final int FULL = 1 << 30;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] cells = new int[STRIPES * STRIDE];
  private final RecentMax max = new RecentMax();
  private final Counter count;
  private final Counter total;

  StripedHistogram(Counter count, Counter total) {
    this.count = count;
    this.total = total;
  }

  @Override
  public void record(long value, int times) {
    long positive = Math.max(0, value);
    int stripe = ThreadSlots.stripe(STRIPES);
    int weight = Math.min(times, MAX_AT_ONCE);
    int before = (int) CELL.getAndAdd(cells, stripe * STRIDE + BUCKETS.index(positive), weight);
    if (before >= FULL) {
      halveCells(1);
    }
    count.add(times);
    total.add(positive * times);
    max.offer(positive);
  }

  @Override
  public long count() {
    return count.sum();
  }

  @Override
  public long total() {
    return total.sum();
  }

  @Override
  public LogBuckets buckets() {
    return BUCKETS;
  }

  @Override
  public void addTo(Distribution distribution) {
    for (int bucket = 0; bucket < BUCKETS.count(); bucket++) {
      long weight = 0;
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        weight += weight(stripe * STRIDE + bucket);
      }
      distribution.addWeight(bucket, weight);
    }
    distribution.addSums(count(), total(), max.max());
  }

  private int weight(int cell) {
    return (int) CELL.getOpaque(cells, cell);
  }

  @Override
  public void halve(int times) {
    halveCells(times);
    max.advance();
  }

  private void halveCells(int times) {
    for (int cell = 0; cell < cells.length; cell++) {
      int weight = weight(cell);
      int loss = Halving.loss(weight, times);
      while (loss != 0 && !CELL.compareAndSet(cells, cell, weight, weight - loss)) {
        weight = weight(cell);
        loss = Halving.loss(weight, times);
      }
    }
  }
}
