package org.fastpath.metrics;

/**
 * Which bucket of a histogram a value belongs to, so that every value in a bucket is within 1 % of
 * the bucket's estimate.
 *
 * <p>Buckets whose bounds grow by a constant factor need a logarithm per value. A histogram with
 * linear steps inside each power of two (HdrHistogram [1]) avoids it but needs 50 to 64 buckets per
 * power of two for 1 %, because its buckets are too narrow at the upper end. In between lies a
 * polynomial in place of the logarithm (DDSketch [2]): with {@code m} in [0, 1) the part of the
 * value above its power of two, {@code m (4 - m) / 3} grows from 0 to 1 and follows log2(1 + m) so
 * closely that 39 buckets per power of two do. In integers that is one count of leading zeros, two
 * shifts, two multiplications.
 *
 * <p>The factor between a bucket's bounds is at most exp(0.02): the slope of the polynomial over
 * the natural logarithm is (1 + m)(4 - 2m) / 3, at least 4/3, times 39 buckets is 52 per unit. The
 * estimate is the harmonic mean of least and greatest value, whose relative error is the same at
 * both ends: (greatest - least) / (greatest + least), below 1 %. Values beyond the range are taken
 * for its ends.
 *
 * <p>Where values are small, an estimate that is a whole number may miss one end by more: 65 is 1.5
 * % away from 64. A range that begins at zero therefore has a bucket for each value below 128, and
 * 42 per power of two, which leaves room for the rounding.
 *
 * <ol>
 *   <li>G. Tene, HdrHistogram, hdrhistogram.org
 *   <li>C. Masson, J. Rim, H. Lee: DDSketch: A Fast and Fully-Mergeable Quantile Sketch with
 *       Relative-Error Guarantees. PVLDB 12(12), 2019
 * </ol>
 */
final class LogBuckets {
  private static final int MANTISSA_BITS = 24;
  private static final long FOUR = 4L << MANTISSA_BITS;

  /** From 0 to 2^42: nanoseconds up to 73 minutes, bytes up to 4 TiB. */
  static final LogBuckets WIDE = new LogBuckets(0, 7, 42, 42);

  /** From 2^11 to 2^36: nanoseconds from 2 µs to 69 s. What is below counts as 1 µs. */
  static final LogBuckets NARROW = new LogBuckets(11, 11, 36, 39);

  private final int smallShift;
  private final int firstOctave;
  private final int smallBuckets;
  private final int perOctave;

  /** A third of perOctave: the polynomial is divided by three. */
  private final int factor;

  private final int last;
  private final long[] estimates;

  /**
   * @param smallShift values below the first octave share a bucket if they are equal but for this
   *     many bits
   */
  private LogBuckets(int smallShift, int firstOctave, int endOctave, int perOctave) {
    this.smallShift = smallShift;
    this.firstOctave = firstOctave;
    this.perOctave = perOctave;
    factor = perOctave / 3;
    smallBuckets = 1 << (firstOctave - smallShift);
    last = smallBuckets + (endOctave - firstOctave) * perOctave - 1;
    estimates = new long[last + 1];
    for (int bucket = 0; bucket < smallBuckets; bucket++) {
      estimates[bucket] = ((long) bucket << smallShift) + (1L << smallShift >> 1);
    }
    long least = 1L << firstOctave;
    for (int bucket = smallBuckets; bucket <= last; bucket++) {
      long next = bucket == last ? 1L << endOctave : firstBeyond(bucket, least);
      estimates[bucket] = estimate(least, next - 1);
      least = next;
    }
  }

  /** The least value beyond a bucket: by halving, since the index never falls as values grow. */
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

  /** How many buckets there are. */
  int count() {
    return last + 1;
  }

  /** The bucket of a value, which is not negative. */
  int index(long value) {
    if (value < 1L << firstOctave) {
      return (int) (value >>> smallShift);
    }
    int zeros = Long.numberOfLeadingZeros(value);
    long mantissa = (value << (zeros + 1)) >>> (Long.SIZE - MANTISSA_BITS);
    int octave = Long.SIZE - 1 - zeros - firstOctave;
    int within = (int) ((mantissa * (FOUR - mantissa) * factor) >>> (2 * MANTISSA_BITS));
    return Math.min(last, smallBuckets + octave * perOctave + within);
  }

  /** What stands for the values of a bucket. */
  long estimate(int bucket) {
    return estimates[bucket];
  }
}
