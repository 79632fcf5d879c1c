package org.fastpath.zcr.hbase;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics source {@code MappedBlocks}, shown from the first region on that has the coprocessor.
 * The log names the first block of each kind of failure; further ones are only counted.
 * Thread-safe.
 */
final class BlockMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(BlockMetrics.class);
  private static final Set<Enum<?>> LOGGED = ConcurrentHashMap.newKeySet();

  private static final LongAdder LIVE = new LongAdder();
  private static final LongAdder OPEN = new LongAdder();

  private static final SourceBuilder BUILDER =
      Metrics.source(
          "MappedBlocks", "Data blocks of HFiles that are read in mappings of their replicas");
  private static final Counter BLOCKS;
  private static final Counter BYTES;
  private static final Counter SEVERAL;
  private static final Counter VERIFIED;
  private static final Counter REMEMBERED;
  private static final Counter INDEXED;
  private static final Counter UNINDEXED;
  private static final Counter MISCONFIGURED;
  private static final Map<StockRead, Counter> STOCK_READS =
      counters(StockRead.class, StockRead::metric, StockRead::description);
  private static final Map<StockFile, Counter> STOCK_FILES =
      counters(StockFile.class, StockFile::metric, StockFile::description);

  static {
    BUILDER.gauge(
        "openFileCount", "Open store files whose blocks may be read in mappings", OPEN::sum);
    BUILDER.gauge("liveBlockCount", "Blocks that are in use", LIVE::sum);
    BLOCKS = BUILDER.counter("mappedBlockCount", "Blocks served from a mapping");
    BYTES = BUILDER.counter("mappedBlockBytes", "Bytes of these blocks, as stored in the file");
    SEVERAL =
        BUILDER.counter(
            "multiPartBlockCount",
            "Of these, blocks in several parts, because they cross the end of an HDFS block");
    VERIFIED =
        BUILDER.counter("checksumVerifiedCount", "Of these, blocks whose checksums were verified");
    REMEMBERED =
        BUILDER.counter(
            "checksumRememberedCount",
            "Of these, blocks that an earlier read had verified in their mapping");
    INDEXED =
        BUILDER.counter("indexedBlockCount", "Blocks whose index was stored beside a mapping");
    UNINDEXED =
        BUILDER.counter(
            "unindexedBlockCount",
            "Blocks without an index, for lack of memory or because their kind has none");
    BUILDER.gauge(
        "indexBytes",
        "Bytes of direct memory for indexes of mapped blocks",
        IndexBudget::usedBytes);
    MISCONFIGURED =
        BUILDER.counter(
            "misconfiguredReaderCount",
            "Readers left to HBase: a key of mapped blocks has an invalid value");
    BUILDER.gauge(
        "unverifiedVersionCount",
        "1 if the HBase version is not verified for mapped blocks, otherwise 0",
        () -> BlockSupport.available() ? 0 : 1);
    BUILDER.register();
  }

  private BlockMetrics() {}

  private static <E extends Enum<E>> Map<E, Counter> counters(
      Class<E> type, Function<E, String> name, Function<E, String> description) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, BUILDER.counter(name.apply(constant), description.apply(constant)));
    }
    return counters;
  }

  /** Shows the source, once in a process. */
  static void register() {
    // The static initializer registers the source.
  }

  // Files.

  static void opened() {
    OPEN.increment();
  }

  static void closed() {
    OPEN.decrement();
  }

  static void stockFile(StockFile why) {
    STOCK_FILES.get(why).increment();
  }

  static void misconfigured() {
    MISCONFIGURED.increment();
  }

  /** Counts a file whose reader could not be created. */
  static void failed(Path file, Throwable why) {
    stockFile(StockFile.FAILED);
    log(
        StockFile.FAILED,
        "HBase reads all blocks of {}; further cases are only counted",
        file,
        why);
  }

  // Blocks.

  static void served(int bytes, boolean several) {
    LIVE.increment();
    BLOCKS.increment();
    BYTES.add(bytes);
    if (several) {
      SEVERAL.increment();
    }
  }

  static void released() {
    LIVE.decrement();
  }

  static void verified(boolean remembered) {
    (remembered ? REMEMBERED : VERIFIED).increment();
  }

  /** Counts the first read of a block in its mapping. */
  static void indexed(boolean indexed) {
    (indexed ? INDEXED : UNINDEXED).increment();
  }

  static void stockRead(StockRead why, Path file, long offset) {
    STOCK_READS.get(why).increment();
    if (why == StockRead.MISMATCH || why == StockRead.MALFORMED || why == StockRead.TRUNCATED) {
      log(
          why,
          "A mapping cannot serve a block ({}), so HBase reads it: {} at {}; further cases are "
              + "only counted",
          why,
          file,
          offset);
    }
  }

  static void failed(Path file, long offset, Throwable why) {
    STOCK_READS.get(StockRead.FAILED).increment();
    log(
        StockRead.FAILED,
        "A mapping cannot serve a block, so HBase reads it: {} at {}; further cases are only "
            + "counted",
        file,
        offset,
        why);
  }

  private static void log(Enum<?> kind, String message, Object... arguments) {
    if (LOGGED.add(kind)) {
      LOG.warn(message, arguments);
    } else {
      LOG.debug(message, arguments);
    }
  }

  // Values for tests.

  static long openFiles() {
    return OPEN.sum();
  }

  static long live() {
    return LIVE.sum();
  }

  static long blocks() {
    return BLOCKS.sum();
  }

  static long several() {
    return SEVERAL.sum();
  }

  static long indexed() {
    return INDEXED.sum();
  }

  static long unindexed() {
    return UNINDEXED.sum();
  }

  static long verified() {
    return VERIFIED.sum();
  }

  static long remembered() {
    return REMEMBERED.sum();
  }

  static long stockReads(StockRead why) {
    return STOCK_READS.get(why).sum();
  }
}
