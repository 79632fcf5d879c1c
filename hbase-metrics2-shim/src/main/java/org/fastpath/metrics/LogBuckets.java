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
 * both ends: (greatest - least) / (greatest + least), below 1 %. Zero has a bucket of its own.
 * Values beyond the range are taken for its ends.
 *
 * <ol>
 *   <li>G. Tene, HdrHistogram, hdrhistogram.org
 *   <li>C. Masson, J. Rim, H. Lee: DDSketch: A Fast and Fully-Mergeable Quantile Sketch with
 *       Relative-Error Guarantees. PVLDB 12(12), 2019
 * </ol>
 */
final class LogBuckets {
  private static final int PER_OCTAVE = 39;
  private static final int MANTISSA_BITS = 24;
  private static final long FOUR = 4L << MANTISSA_BITS;

  /** A third of PER_OCTAVE: the polynomial is divided by three. */
  private static final int FACTOR = PER_OCTAVE / 3;

  /** From 1 to 2^42: nanoseconds up to 73 minutes, bytes up to 4 TiB. */
  static final LogBuckets WIDE = new LogBuckets(0, 42);

  /** From 2^11 to 2^36: nanoseconds from 2 µs to 69 s. What is below counts as 1 µs. */
  static final LogBuckets NARROW = new LogBuckets(11, 25);

  private final int firstOctave;
  private final int last;
  private final long[] estimates;

  private LogBuckets(int firstOctave, int octaves) {
    this.firstOctave = firstOctave;
    last = octaves * PER_OCTAVE;
    estimates = new long[last + 1];
    estimates[0] = firstOctave == 0 ? 0 : 1L << (firstOctave - 1);
    long least = 1L << firstOctave;
    for (int bucket = 1; bucket <= last; bucket++) {
      long next = least;
      if (bucket == last) {
        next = 1L << (firstOctave + octaves);
      } else if (index(least) == bucket) {
        next = firstBeyond(bucket, least);
      }
      estimates[bucket] = estimate(least, Math.max(least, next - 1));
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

  /** The bucket of a value. */
  int index(long value) {
    if (value < 1L << firstOctave) {
      return 0;
    }
    int zeros = Long.numberOfLeadingZeros(value);
    long mantissa = (value << (zeros + 1)) >>> (Long.SIZE - MANTISSA_BITS);
    int octave = Long.SIZE - 1 - zeros - firstOctave;
    int within = (int) ((mantissa * (FOUR - mantissa) * FACTOR) >>> (2 * MANTISSA_BITS));
    return Math.min(last, 1 + octave * PER_OCTAVE + within);
  }

  /** What stands for the values of a bucket. */
  long estimate(int bucket) {
    return estimates[bucket];
  }
}
