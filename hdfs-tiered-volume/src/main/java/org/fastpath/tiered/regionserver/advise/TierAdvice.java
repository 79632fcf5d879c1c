package org.fastpath.tiered.regionserver.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/**
 * Computes settings for a cluster with these volumes.
 *
 * <p>The published story tuned its cluster by hand: four DataNodes, each with eight disks or eight
 * SSDs, and three replicas. It used 5 flushers and 3 compactors without SSDs, 15 and 8 with them
 * (its Table 9). One rule gives these four numbers: enough threads to keep the tier busy. A flush
 * writes about 80 MB/s, the rate at which one core encodes and checksums. A compaction moves 150
 * MB/s, half of it read. Eight disks of 127 MB/s with three replicas give 339 MB/s, which is 4.2
 * flushes and 2.3 compactions. Eight SSDs of 447 MB/s give 1,192 MB/s, which is 14.9 and 7.9. Fewer
 * threads leave the tier idle. More threads divide the same bandwidth, hold memory, and make disks
 * seek. So the rule reproduces the story's numbers and applies to other machines.
 *
 * <p>J. Du, W. Zhou, <em>HDFS HSM and HBase</em>, part 3, <em>Tuning</em>, Apache HBase blog, 2016.
 */
final class TierAdvice {
  private static final String FLUSHERS = "hbase.hstore.flusher.count";
  private static final String SMALL_COMPACTORS = "hbase.regionserver.thread.compaction.small";
  private static final String LARGE_COMPACTORS = "hbase.regionserver.thread.compaction.large";
  private static final String LOG_GROUPS = "hbase.wal.regiongrouping.numgroups";
  private static final String HANDLERS = "hbase.regionserver.handler.count";

  private static final double MEGA = 1 << 20;
  private static final double FLUSH_BYTES = 80 * MEGA;
  private static final double COMPACTION_BYTES = 150 * MEGA;

  /** Defaults of HBase. */
  private static final int MIN_FLUSHERS = 2;

  private static final int BLOCKING_FILES = 16;
  private static final double MEMSTORES = 0.4;
  private static final double LOWER_LIMIT = 0.95;
  private static final long FLUSH_SIZE = 128 << 20;
  private static final long ROLL_SIZE = 128 << 20;
  private static final int MIN_LOGS = 32;
  private static final int MIN_HANDLERS = 30;

  private static final int MAX_BLOCKING_FILES = 64;
  private static final double MIN_LOWER_LIMIT = 0.7;
  private static final int MAX_HANDLERS = 200;
  private static final int HANDLERS_PER_CORE = 3;
  private static final int MAX_LOG_GROUPS = 4;
  private static final int LARGE_SHARE = 4;

  /** The default of HDFS. */
  private static final int MIN_TRANSFERS = 4096;

  private static final int MIN_DATANODE_HANDLERS = 10;
  private static final int HANDLERS_PER_VOLUME = 8;
  private static final int MIN_NAMENODE_HANDLERS = 10;
  private static final int MAX_NAMENODE_HANDLERS = 200;
  private static final int HANDLERS_PER_MAGNITUDE = 20;

  private final ClusterShape shape;
  private final List<Advice> lines = new ArrayList<>();

  private TierAdvice(ClusterShape shape) {
    this.shape = shape;
  }

  static List<Advice> of(ClusterShape shape) {
    TierAdvice advice = new TierAdvice(shape);
    advice.threads();
    advice.memStores();
    advice.logs();
    advice.hdfs();
    return List.copyOf(advice.lines);
  }

  /**
   * Returns warnings about the tiers themselves.
   *
   * @return empty if there are none
   */
  static List<String> warnings(ClusterShape shape) {
    List<String> warnings = new ArrayList<>();
    double log = shape.share(shape.wal());
    double files = Math.min(shape.share(shape.flush()), shape.share(shape.compaction()));
    if (log > 2 * files) {
      warnings.add(
          ("logs on %s take %s a server, store files at most %s, because compactions rewrite "
                  + "bytes. Writers at the logs' rate will be blocked repeatedly. The tier guard "
                  + "detects this and can throttle them.")
              .formatted(shape.wal(), rate(log), rate(files)));
    }
    long needed = logCount(shape) * ROLL_SIZE * shape.replication() * shape.servers();
    if (needed > shape.volumes().get(shape.wal()).freeBytes()) {
      warnings.add(
          "logs can grow to %s, and the volumes of type %s have %s free"
              .formatted(
                  size(needed), shape.wal(), size(shape.volumes().get(shape.wal()).freeBytes())));
    }
    return warnings;
  }

  private void threads() {
    StorageType flush = shape.flush();
    StorageType compaction = shape.compaction();
    int flushers = clamp(Math.ceil(shape.share(flush) / FLUSH_BYTES), MIN_FLUSHERS, shape.cores());
    add(
        FLUSHERS,
        flushers,
        "a flush writes %s, and %s takes %s a server"
            .formatted(rate(FLUSH_BYTES), flush, rate(shape.share(flush))));
    int compactors =
        clamp(
            Math.ceil(shape.share(compaction) / COMPACTION_BYTES),
            1,
            Math.max(1, shape.cores() / 2));
    add(
        SMALL_COMPACTORS,
        compactors,
        "a compaction reads and writes %s, and %s takes %s a server; half of %d cores at most"
            .formatted(
                rate(COMPACTION_BYTES), compaction, rate(shape.share(compaction)), shape.cores()));
    largeCompactors(compactors);
    // Files accumulate behind a compaction to a slow type, as if all compactions were slow.
    StorageType slowest = shape.slowestCompaction();
    double slower = shape.share(flush) / shape.share(slowest);
    add(
        "hbase.hstore.blockingStoreFiles",
        clamp(Math.ceil(BLOCKING_FILES * slower), BLOCKING_FILES, MAX_BLOCKING_FILES),
        slower > 1
            ? ("flushes go to %s, which is %.1f times as fast as %s, so files wait longer for "
                    + "compaction")
                .formatted(flush, slower, slowest)
            : "HBase's own: compactions keep up with flushes");
  }

  /**
   * Adds threads for large compactions. If they write to a slower type than the others, they use it
   * alone. Each thread then writes to one volume of a node at a time.
   */
  private void largeCompactors(int smallOnes) {
    StorageType slowest = shape.slowestCompaction();
    if (shape.share(slowest) < shape.share(shape.compaction())) {
      double stream = Math.min(COMPACTION_BYTES, shape.bandwidth().get(slowest).bytes());
      add(
          LARGE_COMPACTORS,
          clamp(Math.ceil(shape.share(slowest) / stream), 1, shape.cores()),
          "a compaction writes %s to one volume of type %s, which together take %s a server"
              .formatted(rate(stream), slowest, rate(shape.share(slowest))));
    } else {
      add(
          LARGE_COMPACTORS,
          Math.max(1, smallOnes / LARGE_SHARE),
          "a quarter of the small ones: large ones run for long, and must not take the tier alone");
    }
    shape
        .largeBytes()
        .ifPresent(
            bytes ->
                add(
                    "hbase.regionserver.thread.compaction.throttle",
                    bytes,
                    ("a separate rule applies from %s on: threads for small compactions do not "
                            + "wait for that type")
                        .formatted(size(bytes))));
  }

  private void memStores() {
    long limit = memStores(shape);
    add(
        "hbase.regionserver.global.memstore.size",
        MEMSTORES,
        "%s of a heap of %s, the default; more memory holds longer bursts but no lasting load"
            .formatted(size(limit), size(shape.heapBytes())));
    double room = 2.0 * FLUSH_SIZE / limit;
    double lower = Math.max(MIN_LOWER_LIMIT, Math.min(LOWER_LIMIT, 1 - room));
    add(
        "hbase.regionserver.global.memstore.size.lower.limit",
        String.format(Locale.ROOT, "%.2f", lower),
        "the room between this mark and the limit must hold two flushes of %s"
            .formatted(size(FLUSH_SIZE)));
    boolean fast = shape.share(shape.flush()) >= COMPACTION_BYTES * LARGE_SHARE;
    add(
        "hbase.hregion.memstore.flush.size",
        fast ? FLUSH_SIZE : 2 * FLUSH_SIZE,
        fast
            ? "HBase's own: %s writes small files as fast as large ones".formatted(shape.flush())
            : "twice the default: half as many files to compact on %s".formatted(shape.flush()));
  }

  private static long memStores(ClusterShape shape) {
    return Math.round(shape.heapBytes() * MEMSTORES);
  }

  private static long logCount(ClusterShape shape) {
    return Math.max(MIN_LOGS, (2 * memStores(shape) + ROLL_SIZE - 1) / ROLL_SIZE);
  }

  private void logs() {
    int groups = clamp(shape.volumesPerNode(shape.wal()) / 2, 1, MAX_LOG_GROUPS);
    if (groups > 1) {
      add("hbase.wal.provider", "multiwal", "one log writes to one volume of each replica's node");
      add(
          LOG_GROUPS,
          groups,
          "%d volumes of type %s a node, and at most four logs, since all are synced"
              .formatted(shape.volumesPerNode(shape.wal()), shape.wal()));
    }
    add(
        "hbase.regionserver.maxlogs",
        logCount(shape),
        "twice the memstores in logs of %s, so logs do not cause early flushes"
            .formatted(size(ROLL_SIZE)));
    add(
        HANDLERS,
        clamp(HANDLERS_PER_CORE * shape.cores(), MIN_HANDLERS, MAX_HANDLERS),
        "three for each of %d cores: one works while two wait for a log".formatted(shape.cores()));
  }

  private void hdfs() {
    int volumes = shape.volumesPerNode();
    lines.add(
        Advice.hdfs(
            "dfs.datanode.handler.count",
            Math.max(MIN_DATANODE_HANDLERS, HANDLERS_PER_VOLUME * volumes),
            "eight for each of %d volumes a node".formatted(volumes)));
    lines.add(
        Advice.hdfs(
            "dfs.datanode.max.transfer.threads",
            Math.max(MIN_TRANSFERS, transfers()),
            ("one per reader or writer of a block: %d at once for flushes, compactions, logs "
                    + "and readers")
                .formatted(transfers())));
    lines.add(
        Advice.hdfs(
            "dfs.namenode.handler.count",
            clamp(
                HANDLERS_PER_MAGNITUDE * Math.log(shape.nodes()),
                MIN_NAMENODE_HANDLERS,
                MAX_NAMENODE_HANDLERS),
            "20 times the logarithm of %d DataNodes".formatted(shape.nodes())));
  }

  /** Returns the transfers of a DataNode, if servers are spread evenly. */
  private int transfers() {
    int streams = 0;
    for (Advice line : lines) {
      switch (line.key()) {
        case FLUSHERS, SMALL_COMPACTORS, LARGE_COMPACTORS, LOG_GROUPS ->
            streams += shape.replication() * Integer.parseInt(line.value());
        case HANDLERS -> streams += Integer.parseInt(line.value());
        default -> {
          // No streams.
        }
      }
    }
    return (int) Math.ceil((double) streams * shape.servers() / shape.nodes());
  }

  private void add(String key, Object value, String reason) {
    lines.add(Advice.hbase(key, value, reason));
  }

  private static int clamp(double value, int least, int most) {
    return (int) Math.max(least, Math.min(most, value));
  }

  private static String rate(double bytes) {
    return size(Math.round(bytes)) + "/s";
  }

  private static String size(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
