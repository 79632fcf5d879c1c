package org.fastpath.metrics;

/**
 * Maps values to the buckets of a histogram. Every value in a bucket is within 1 % of the bucket's
 * estimate.
 *
 * <p>Buckets whose bounds grow by a constant factor need a logarithm per value. A histogram with
 * linear steps inside each power of two (HdrHistogram [1]) avoids it. But its buckets are too
 * narrow at the upper end, so it needs 50 to 64 buckets per power of two for 1 %. A polynomial in
 * place of the logarithm lies in between (DDSketch [2]). Let {@code m} in [0, 1) be the part of the
 * value above its power of two. {@code m (4 - m) / 3} grows from 0 to 1 and follows log2(1 + m)
 * closely, so 39 buckets per power of two suffice. In integers this takes one count of leading
 * zeros, two shifts and two multiplications.
 *
 * <p>The factor between a bucket's bounds is at most exp(0.02). The slope of the polynomial over
 * the natural logarithm is (1 + m)(4 - 2m) / 3, at least 4/3. Times 39 buckets, that is 52 per
 * unit. The estimate is the harmonic mean of the bounds. Its relative error is the same at both
 * ends: (max - min) / (max + min), below 1 %. Values beyond the range count as its ends.
 *
 * <p>For small values, an estimate in whole numbers may miss one end by more than 1 %: 65 is 1.5 %
 * away from 64. A range that begins at zero therefore has a bucket for each value below 128. Above,
 * it has 42 buckets per power of two, which leaves room for the rounding.
 *
 * <p>This is a record because the JIT compiler treats the fields of a constant record as constants.
 *
 * <ol>
 *   <li>G. Tene, HdrHistogram, hdrhistogram.org
 *   <li>C. Masson, J. Rim, H. Lee: DDSketch: A Fast and Fully-Mergeable Quantile Sketch with
 *       Relative-Error Guarantees. PVLDB 12(12), 2019
 * </ol>
 *
 * @param smallShift values below the first octave share a bucket if they are equal but for this
 *     many bits
 * @param firstOctave the power of two from which on buckets are logarithmic
 * @param smallBuckets the number of buckets below the first octave
 * @param factor a third of the number of buckets per octave: the polynomial is divided by three
 * @param last the last bucket
 * @param estimates by bucket
 */
record LogBuckets(
    int smallShift, int firstOctave, int smallBuckets, int factor, int last, long[] estimates) {
  private static final int MANTISSA_BITS = 24;
  private static final long FOUR = 4L << MANTISSA_BITS;

  /** From 0 to 2^42: nanoseconds up to 73 minutes, bytes up to 4 TiB. */
  static final LogBuckets WIDE = of(0, 7, 42, 42);

  /** From 2^11 to 2^36: nanoseconds from 2 µs to 69 s. Smaller values count as 1 µs. */
  static final LogBuckets NARROW = of(11, 11, 36, 39);

  private static LogBuckets of(int smallShift, int firstOctave, int endOctave, int perOctave) {
    int smallBuckets = 1 << (firstOctave - smallShift);
    int count = smallBuckets + (endOctave - firstOctave) * perOctave;
    LogBuckets buckets =
        new LogBuckets(
            smallShift, firstOctave, smallBuckets, perOctave / 3, count - 1, new long[count]);
    buckets.fillEstimates(1L << endOctave);
    return buckets;
  }

  private void fillEstimates(long end) {
    for (int bucket = 0; bucket < smallBuckets; bucket++) {
      estimates[bucket] = ((long) bucket << smallShift) + (1L << smallShift >> 1);
    }
    long least = 1L << firstOctave;
    for (int bucket = smallBuckets; bucket <= last; bucket++) {
      long next = bucket == last ? end : firstBeyond(bucket, least);
      estimates[bucket] = estimate(least, next - 1);
      least = next;
    }
  }

  /**
   * Returns the first value beyond a bucket, by binary search: the index never falls as values
   * grow.
   */
  private long firstBeyond(int bucket, long inside) {
    long low = inside;
    long high = inside * 2;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (index(middle) == bucket) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static long estimate(long least, long greatest) {
    return Math.round(2.0 * least * greatest / ((double) least + greatest));
  }

  /** Returns the number of buckets. */
  int count() {
    return last + 1;
  }

  /** Returns the bucket of a value, which is not negative. */
  int index(long value) {
    if (value < 1L << firstOctave) {
      return (int) (value >>> smallShift);
    }
    int zeros = Long.numberOfLeadingZeros(value);
    long mantissa = (value << (zeros + 1)) >>> (Long.SIZE - MANTISSA_BITS);
    int octave = Long.SIZE - 1 - zeros - firstOctave;
    int within = (int) ((mantissa * (FOUR - mantissa) * factor) >>> (2 * MANTISSA_BITS));
    return Math.min(last, smallBuckets + octave * 3 * factor + within);
  }

  /** Returns the estimate for all values of a bucket. */
  long estimate(int bucket) {
    return estimates[bucket];
  }
}
