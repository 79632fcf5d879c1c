package org.fastpath.zcr;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics source {@code ZeroCopy} of the process, shown from the first file system with
 * zero-copy reads on. Thread-safe.
 */
final class ZeroCopyMetrics {
  private static final AtomicLong MAPPINGS = new AtomicLong();
  private static final AtomicLong MAPPED_BYTES = new AtomicLong();
  private static final AtomicLong DRAINING = new AtomicLong();

  /**
   * Released slices. Slices in use are the zero-copy reads less these. A single number that goes up
   * and down would be a contended cache line.
   */
  private static final LongAdder RELEASED = new LongAdder();

  private static final SourceBuilder BUILDER =
      Metrics.source("ZeroCopy", "Reads of HDFS from mappings of replicas on this machine");
  private static final Counter MADE;
  private static final Counter ZERO_COPY_READS;
  private static final Counter ZERO_COPY_BYTES;
  private static final Counter COPIED_READS;
  private static final Counter COPIED_BYTES;
  private static final Counter SKIPPED_AS_CACHED;
  private static final Counter SKIPPED_BY_CALLER;
  private static final Counter STOCK_STREAMS;
  private static final Map<Fallback, Counter> FALLBACKS =
      counters(Fallback.class, Fallback::metric, Fallback::description);
  private static final Map<Retirement, Counter> RETIREMENTS =
      counters(Retirement.class, Retirement::metric, Retirement::description);

  static {
    BUILDER.gauge("mappedBytes", "Bytes of the blocks that are mapped", MAPPED_BYTES::get);
    BUILDER.gauge("mappingCount", "Blocks that are mapped", MAPPINGS::get);
    BUILDER.gauge(
        "pinnedMappingCount",
        "Mappings with readers or slices that take new readers",
        () -> sum(mapping -> mapping.pins() > 0 ? 1 : 0));
    BUILDER.gauge(
        "anchoredMappingCount",
        "Mappings whose blocks DataNodes keep in locked memory",
        () -> sum(mapping -> mapping.isAnchored() ? 1 : 0));
    BUILDER.gauge(
        "retiredMappingCount",
        "Mappings that take no new readers and wait for their last one",
        DRAINING::get);
    BUILDER.gauge("sliceCount", "Slices that are in use", ZeroCopyMetrics::slices);
    MADE = BUILDER.counter("madeMappingCount", "Blocks that were mapped so far");
    ZERO_COPY_READS = BUILDER.counter("zeroCopyReadCount", "Reads that returned a slice");
    ZERO_COPY_BYTES = BUILDER.counter("zeroCopyBytes", "Bytes of these slices");
    COPIED_READS =
        BUILDER.counter("copiedReadCount", "Reads copied out of a mapping, one per " + "block");
    COPIED_BYTES = BUILDER.counter("copiedBytes", "Bytes of these reads");
    SKIPPED_AS_CACHED =
        BUILDER.counter(
            "checksumSkippedCachedCount",
            "Reads without checksums because the DataNode verified the block as it locked it");
    SKIPPED_BY_CALLER =
        BUILDER.counter(
            "checksumSkippedCallerCount", "Reads without checksums at the caller's request");
    STOCK_STREAMS =
        BUILDER.counter(
            "stockStreamCount",
            "Streams with stock reads only: files that are encrypted, erasure-coded, being "
                + "written, or in a snapshot");
    BUILDER.gauge(
        "unverifiedVersionCount",
        "1 if the Hadoop version is not verified for zero-copy reads, otherwise 0",
        () -> ZeroCopySupport.isVerifiedVersion() ? 0 : 1);
    BUILDER.register();
  }

  private ZeroCopyMetrics() {}

  private static <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> type, Function<E, String> name, Function<E, String> description) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, BUILDER.counter(name.apply(constant), description.apply(constant)));
    }
    return counters;
  }

  private static long sum(ToLongFunction<Mapping> value) {
    Mappings mappings = Mappings.current();
    return mappings == null ? 0 : mappings.all().stream().mapToLong(value).sum();
  }

  /** Shows the source, once in a process. */
  static void register() {
    // The static initializer registers the source.
  }

  // Mappings.

  static void mapped(long bytes) {
    MADE.increment();
    MAPPINGS.incrementAndGet();
    MAPPED_BYTES.addAndGet(bytes);
  }

  static void retired(Retirement why, boolean held) {
    RETIREMENTS.get(why).increment();
    if (held) {
      DRAINING.incrementAndGet();
    }
  }

  static void unmapped(long bytes, boolean held) {
    MAPPINGS.decrementAndGet();
    MAPPED_BYTES.addAndGet(-bytes);
    if (held) {
      DRAINING.decrementAndGet();
    }
  }

  static long mappings() {
    return MAPPINGS.get();
  }

  static long mappedBytes() {
    return MAPPED_BYTES.get();
  }

  static long retired(Retirement why) {
    return RETIREMENTS.get(why).sum();
  }

  static long draining() {
    return DRAINING.get();
  }

  // Reads.

  static void copied(Mapping mapping, long bytes) {
    COPIED_READS.increment();
    COPIED_BYTES.add(bytes);
    unverified(mapping);
  }

  static void sliced(Mapping mapping, long bytes) {
    ZERO_COPY_READS.increment();
    ZERO_COPY_BYTES.add(bytes);
    unverified(mapping);
  }

  static void released() {
    RELEASED.increment();
  }

  private static void unverified(Mapping mapping) {
    (mapping.isAnchored() ? SKIPPED_AS_CACHED : SKIPPED_BY_CALLER).increment();
  }

  static void fallback(Fallback why) {
    FALLBACKS.get(why).increment();
  }

  static void stockStream() {
    STOCK_STREAMS.increment();
  }

  /** Returns the slices in use. Releases are read first, so the difference is never negative. */
  static long slices() {
    long released = RELEASED.sum();
    return ZERO_COPY_READS.sum() - released;
  }

  static long copiedReads() {
    return COPIED_READS.sum();
  }

  static long zeroCopyReads() {
    return ZERO_COPY_READS.sum();
  }

  static long fallbacks(Fallback why) {
    return FALLBACKS.get(why).sum();
  }
}
