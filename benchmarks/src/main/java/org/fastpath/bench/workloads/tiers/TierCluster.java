package org.fastpath.bench.workloads.tiers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Role;

/**
 * HBase on a DataNode with the volumes of a case, set up for one variant, with the empty table. Its
 * volumes are modelled. Its settings are the story's as far as known (Tables 8 and 9), reduced by
 * {@link TierScale}. Not thread-safe.
 */
final class TierCluster extends Cluster {
  private static final String SERVER_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String THREADS_BEAN = "Hadoop:service=DataNode,name=JvmMetrics";
  private static final String REGIONSERVER = "org.apache.hadoop.hbase.regionserver.";
  private static final String COMPACTORS = "hbase.regionserver.thread.compaction.";
  private static final int DISKS_PER_CONTROLLER = 4;
  private static final long HEAP_BYTES = 2L << 30;

  private final TierCase one;

  /**
   * Starts the cluster without progress.
   *
   * @param conf additional configuration of the RegionServer
   * @param process changes the options of DataNode and RegionServer
   */
  TierCluster(
      Run run,
      TierVariant variant,
      TierScale scale,
      Map<String, String> conf,
      Consumer<DaemonOptions> process)
      throws IOException {
    super(
        new Run(run.directory(), Console.silent(), run.results()),
        "",
        builder -> build(builder, variant, scale, conf, process));
    one = scale.one();
    // HBase's default pause of a refused client. It grows to two hundred times as long.
    configuration().setLong("hbase.client.pause", scale.millis(Duration.ofMillis(100)));
    // So many retries that slow requests do not fail.
    configuration().setInt("hbase.client.retries.number", 1000);
    try {
      admin().createTable(variant.table(scale), YcsbRows.splits(TierScale.REGIONS));
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static void build(
      ClusterBuilder builder,
      TierVariant variant,
      TierScale scale,
      Map<String, String> conf,
      Consumer<DaemonOptions> process) {
    builder
        .quickClose()
        .daemon(Role.DATANODE, process)
        .daemon(Role.REGIONSERVER, process)
        .daemon(Role.DATANODE, options -> variant.dataNode(options, scale))
        .daemon(Role.MASTER, options -> variant.hbase(options, variant.masterConf()))
        .daemon(
            Role.REGIONSERVER,
            options -> {
              options.heap(Long.toString(HEAP_BYTES));
              options.conf("hbase.wal.storage.policy", scale.one().wal().policy);
              variant.hbase(options, variant.regionServerConf());
              options.conf(conf);
            });
    if (scale.pages()) {
      builder.pageCache(scale.pageCacheBytes()).dropLag(scale.dropLagBytes());
    } else {
      builder.shortCircuit(true);
    }
    settings(scale).forEach(builder::conf);
    addDevices(builder, scale);
  }

  /** Adds devices: disks have two controllers, SSDs first; RAM has none. */
  private static void addDevices(ClusterBuilder builder, TierScale scale) {
    List<Tier> volumes = scale.one().volumes();
    builder.volumes(volumes.stream().map(tier -> "[" + tier.type + "]").toArray(String[]::new));
    for (int i = 0; i < volumes.size(); i++) {
      builder.slowVolume(i, scale.speed(volumes.get(i)));
    }
    int[] disks =
        IntStream.range(0, volumes.size()).filter(i -> volumes.get(i) != Tier.RAM).toArray();
    for (int i = 0; i < disks.length; i += DISKS_PER_CONTROLLER) {
      builder.controller(
          scale.controllers().get(i / DISKS_PER_CONTROLLER),
          Arrays.copyOfRange(disks, i, i + DISKS_PER_CONTROLLER));
    }
  }

  /**
   * Returns the configuration. The story had 15 flushers and 8 threads for compactions for 70
   * regions of a server, and 5 and 3 without SSDs. Here each region has a flusher, or a third of
   * one. All compactors have the story's ratio to flushers.
   *
   * <p>Large compactions get a few more threads, because a stream to one disk is as slow as that
   * disk. With more for small ones, compactions would keep up, unlike in the story. Its devices,
   * 1,536 MB/s in a node, wrote at most four and a half times the inserted bytes, logs included.
   */
  private static Map<String, String> settings(TierScale scale) {
    TierCase one = scale.one();
    boolean ssds = one.volumes().contains(Tier.SSD);
    return new Params()
        .with("dfs.storage.default.policy", one.bottom().policy)
        .with("dfs.blocksize", block(scale.flushBytes()))
        .with("dfs.client-write-packet-size", scale.packetBytes())
        .with("hbase.hregion.memstore.flush.size", scale.flushBytes())
        .with("hbase.hregion.memstore.flush.size.limit", 1)
        .with(
            "hbase.regionserver.global.memstore.size", (double) scale.memstoreBytes() / HEAP_BYTES)
        .with("hfile.block.cache.size", 0.1)
        .with("hbase.hstore.flusher.count", ssds ? 6 : 2)
        .with(COMPACTORS + "small", 1)
        .with(COMPACTORS + "large", ssds ? 3 : 1)
        // A large compaction is one that writes a large file.
        .with(COMPACTORS + "throttle", scale.limitBytes())
        .with("hbase.hstore.blockingStoreFiles", 15)
        // HBase's default, after which a flush does not wait for compactions.
        .with("hbase.hstore.blockingWaitTime", scale.millis(Duration.ofSeconds(90)))
        // More than the number of client threads.
        .with("hbase.regionserver.handler.count", 100)
        .with("hbase.wal.provider", "multiwal")
        .with("hbase.wal.regiongrouping.numgroups", 4)
        // Logs roll at half of this size; it is small, so they change volumes now and then.
        .with("hbase.regionserver.hlog.blocksize", 8 << 20)
        .with("hbase.regionserver.region.split.policy", REGIONSERVER + "DisabledRegionSplitPolicy")
        // The story's HBase did not limit compactions.
        .with(
            "hbase.regionserver.throughput.controller",
            REGIONSERVER + "throttle.NoLimitThroughputController")
        .with("hbase.hfile.compaction.discharger.interval", 1000)
        .with("hbase.master.hfilecleaner.ttl", scale.millis(Duration.ofMinutes(5)))
        .with("hbase.master.logcleaner.ttl", 1000)
        .with("hbase.master.cleaner.interval", scale.millis(Duration.ofMinutes(1)));
  }

  /**
   * Returns the block size in whole chunks of checksums. A flush is about one block, as in the
   * story. The NameNode's defaults allow no block below 1 MB.
   */
  private static long block(long flush) {
    return Math.max(1 << 20, (flush + 511) / 512 * 512);
  }

  /** Reads all counters; those of the RegionServer may be a second old. */
  TierWindow.Reading read() throws IOException {
    return new TierWindow.Reading(
        System.currentTimeMillis(),
        dataNode().deviceUse(),
        TierWindow.Reading.MachineCpu.parse(Files.readAllLines(Path.of("/proc/stat")).get(0)),
        counter(SERVER_BEAN, "memStoreSize"),
        counter(SERVER_BEAN, "updatesBlockedTime"),
        counter(SERVER_BEAN, "blockedRequestCount"),
        dataNode().jmxAttribute(THREADS_BEAN, "ThreadsBlocked").map(Long::parseLong).orElse(0L));
  }

  /**
   * Flushes all memstores and returns the places of all blocks. It flushes region by region,
   * because HBase's procedure for tables may hang if a region flushes already.
   */
  TierPlacement placement() throws IOException {
    for (RegionInfo region : admin().getRegions(YcsbRows.TABLE)) {
      admin().flushRegion(region.getRegionName());
    }
    return TierPlacement.of(files(), one.bottom());
  }

  /** Kills the servers, because their remaining writes are not needed. */
  void kill() {
    for (Role role : List.of(Role.REGIONSERVER, Role.MASTER, Role.DATANODE)) {
      processes().daemon(role, 0).kill();
    }
  }
}
