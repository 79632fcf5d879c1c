package org.fastpath.regionserver.page;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The values of one moment. Its size is limited: the largest tables are named, the others are one
 * sum.
 *
 * <p>Numbers are {@link #ABSENT} while their bean is missing.
 *
 * @param millis the time by {@link System#currentTimeMillis}
 * @param cacheHits blocks found in the off-heap cache so far
 * @param cacheMisses blocks not found there
 * @param allHits blocks found in any block cache so far
 * @param allMisses blocks not found in any
 * @param tableBytes bytes in the off-heap cache by table
 * @param pinnedBytes bytes of locked memory that this server needs
 * @param lockedBytes bytes of it that DataNodes have locked
 * @param mappedBytes bytes of the blocks that are mapped
 * @param blockedMillis time for which writes were blocked so far
 * @param blockedRequests writes rejected so far because a memstore was too large
 */
record Sample(
    long millis,
    long cacheHits,
    long cacheMisses,
    long allHits,
    long allMisses,
    Map<String, Long> tableBytes,
    long pinnedBytes,
    long lockedBytes,
    long mappedBytes,
    long blockedMillis,
    long blockedRequests) {
  /** The sum of the tables that are not named. No table can have this name. */
  static final String OTHERS = "(others)";

  /** The value of a missing number. */
  static final long ABSENT = -1;

  private static final int MAX_TABLES = 16;

  static Sample of(Beans beans, long millis) {
    Beans.Record cache = beans.record("OffHeapCache", "hitCount", "missCount");
    Beans.Record server =
        beans.record(
            "Server",
            "blockCacheHitCount",
            "blockCacheMissCount",
            "updatesBlockedTime",
            "blockedRequestCount");
    Beans.Record pins = beans.record("HdfsCachePins", "pinnedBytes", "cachedBytes");
    Beans.Record mappings = beans.record("ZeroCopy", "mappedBytes");
    return new Sample(
        millis,
        cache.numberOr(ABSENT, "hitCount"),
        cache.numberOr(ABSENT, "missCount"),
        server.numberOr(ABSENT, "blockCacheHitCount"),
        server.numberOr(ABSENT, "blockCacheMissCount"),
        largest(sums(beans.records("OffHeapCacheTables"), Beans.Record::table, "cachedBytes")),
        pins.numberOr(ABSENT, "pinnedBytes"),
        pins.numberOr(ABSENT, "cachedBytes"),
        mappings.numberOr(ABSENT, "mappedBytes"),
        server.numberOr(ABSENT, "updatesBlockedTime"),
        server.numberOr(ABSENT, "blockedRequestCount"));
  }

  /** Returns the sums of a metric over records of the same key. */
  static Map<String, Long> sums(
      List<Beans.Record> records, Function<Beans.Record, String> key, String metric) {
    Map<String, Long> sums = new TreeMap<>();
    for (Beans.Record record : records) {
      if (!key.apply(record).isEmpty()) {
        sums.merge(key.apply(record), record.number(metric), Long::sum);
      }
    }
    return sums;
  }

  /** Keeps the largest values in their order, and sums up the others. */
  private static Map<String, Long> largest(Map<String, Long> values) {
    Map<String, Long> kept = new LinkedHashMap<>();
    values.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .forEach(
            entry ->
                kept.merge(
                    kept.size() < MAX_TABLES ? entry.getKey() : OTHERS,
                    entry.getValue(),
                    Long::sum));
    return kept;
  }
}
