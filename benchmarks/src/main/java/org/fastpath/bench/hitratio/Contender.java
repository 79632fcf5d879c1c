package org.fastpath.bench.hitratio;

import java.util.function.BiFunction;

/** The policies that are compared. */
enum Contender {
  OURS("ours", "AdaptiveLfuPolicy of hbase-offheap-read", FastpathPolicy::new),
  CAFFEINE("Caffeine", "W-TinyLFU, the library", (trace, bytes) -> new CaffeinePolicy(bytes)),
  LRU("LRU", "what BucketCache comes near to", (trace, bytes) -> new LruPolicy(bytes)),
  S3_FIFO("S3-FIFO", "written from the paper", (trace, bytes) -> new S3FifoPolicy(bytes)),
  SIEVE("SIEVE", "written from the paper", (trace, bytes) -> new SievePolicy(bytes)),
  BELADY("Belady", "the optimum, which knows what will be read", BeladyPolicy::new);

  private final String title;
  private final String description;
  private final BiFunction<Trace, Long, CachePolicy> maker;

  Contender(String title, String description, BiFunction<Trace, Long, CachePolicy> maker) {
    this.title = title;
    this.description = description;
    this.maker = maker;
  }

  String title() {
    return title;
  }

  String description() {
    return description;
  }

  /**
   * Replays a trace.
   *
   * @param bytes the cache's size
   * @param warmUp reads at the beginning that do not count
   * @return percent of the reads that count which were hits
   */
  double hitRatio(Trace trace, long bytes, int warmUp) {
    CachePolicy policy = maker.apply(trace, bytes);
    long hits = 0;
    long counted = 0;
    for (int i = 0; i < trace.reads().length; i++) {
      int block = trace.reads()[i];
      boolean hit = policy.read(block, trace.lengths()[block]);
      if (i >= warmUp && trace.counts(i)) {
        counted++;
        hits += hit ? 1 : 0;
      }
    }
    return counted == 0 ? 0 : 100.0 * hits / counted;
  }
}
