package org.fastpath.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The histogram of a pseudo-source: 16 bits per bucket, for values from 2 µs to 69 s, in 2 KB.
 *
 * <p>A bucket that holds 2^14 values or more moves 2^14 of them to a second array. The first such
 * carry allocates this array: one bucket then received about 150 values per second for a minute.
 * Both arrays together are a 29-bit number per bucket.
 */
final class CompactHistogram implements Distributed {
  private static final LogBuckets BUCKETS = LogBuckets.NARROW;
  private static final int CARRY_BITS = 14;
  private static final int CARRY = 1 << CARRY_BITS;

  /** With this limit, 256 threads at once cannot take a bucket from below a carry to 2^15. */
  private static final int MAX_AT_ONCE = 64;

  /**
   * With this limit, several threads at once cannot take a bucket from below {@link #FULL} to 2^29.
   */
  private static final int MAX_CARRIES_AT_ONCE = 1 << 12;

  /** All buckets are halved when one has this many carries, in case no snapshot halves them. */
  private static final int FULL = 1 << 13;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(short[].class);
  private static final VarHandle HIGH;

  static {
    try {
      HIGH = MethodHandles.lookup().findVarHandle(CompactHistogram.class, "high", short[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final short[] low = new short[BUCKETS.count()];
  private volatile short[] high;
  private final RecentMax max = new RecentMax();
  private final Counter count;
  private final Counter total;

  CompactHistogram(Counter count, Counter total) {
    this.count = count;
    this.total = total;
  }

  @Override
  public void record(long value, int times) {
    long positive = Math.max(0, value);
    add(BUCKETS.index(positive), times);
    count.add(times);
    total.add(positive * times);
    max.offer(positive);
  }

  /**
   * Adds to a bucket. Every thread that finds a carry tries to move it, so a suspended thread
   * cannot make the bucket wrap.
   */
  private void add(int bucket, int times) {
    if (times >= MAX_AT_ONCE) {
      carry(bucket, (short) Math.min(times >>> CARRY_BITS, MAX_CARRIES_AT_ONCE));
      for (int left = times & (CARRY - 1); left > 0; left -= MAX_AT_ONCE) {
        addLow(bucket, Math.min(left, MAX_AT_ONCE));
      }
    } else {
      addLow(bucket, times);
    }
  }

  private void addLow(int bucket, int times) {
    int before = (short) CELL.getAndAdd(low, bucket, (short) times);
    if (before + times >= CARRY) {
      short now = (short) CELL.getVolatile(low, bucket);
      if (now >= CARRY && CELL.compareAndSet(low, bucket, now, (short) (now - CARRY))) {
        carry(bucket, (short) 1);
      }
    }
  }

  private void carry(int bucket, short carries) {
    if (carries == 0) {
      return;
    }
    short[] array = high;
    if (array == null) {
      short[] fresh = new short[BUCKETS.count()];
      array = (short[]) HIGH.compareAndExchange(this, null, fresh);
      array = array == null ? fresh : array;
    }
    if ((short) CELL.getAndAdd(array, bucket, carries) >= FULL) {
      halveBuckets(1);
    }
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
    short[] array = high;
    for (int bucket = 0; bucket < BUCKETS.count(); bucket++) {
      distribution.addWeight(bucket, Math.max(0, weight(array, bucket)));
    }
    distribution.addSums(count(), total(), max.max());
  }

  private int weight(short[] array, int bucket) {
    int weight = (short) CELL.getOpaque(low, bucket);
    return array == null ? weight : weight + ((short) CELL.getOpaque(array, bucket) << CARRY_BITS);
  }

  @Override
  public void halve(int times) {
    halveBuckets(times);
    max.advance();
  }

  private void halveBuckets(int times) {
    short[] array = high;
    for (int bucket = 0; bucket < BUCKETS.count(); bucket++) {
      int loss = Halving.loss(Math.max(0, weight(array, bucket)), times);
      if (loss != 0) {
        subtract(array, bucket, loss);
      }
    }
  }

  /** Subtracts from a bucket. The low part may fall below zero if the high part holds enough. */
  private void subtract(short[] array, int bucket, int loss) {
    if (array == null) {
      CELL.getAndAdd(low, bucket, (short) -loss);
      return;
    }
    int fromHigh = loss >>> CARRY_BITS;
    int fromLow = loss & (CARRY - 1);
    if ((short) CELL.getOpaque(low, bucket) < fromLow) {
      fromHigh++;
      fromLow -= CARRY;
    }
    if (fromHigh != 0) {
      CELL.getAndAdd(array, bucket, (short) -fromHigh);
    }
    CELL.getAndAdd(low, bucket, (short) -fromLow);
  }
}
