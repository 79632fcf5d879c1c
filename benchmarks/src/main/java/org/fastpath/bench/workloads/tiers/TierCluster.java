package org.fastpath.bench.workloads.tiers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;

/**
 * HBase on a DataNode with the volumes of a case, set up for one variant, with the empty table. Its
 * volumes are modelled. Its settings are the story's as far as known (Tables 8 and 9), reduced by
 * {@link TierScale}. Not thread-safe.
 */
final class TierCluster extends Cluster {
  /**
   * One flusher for each region; a third of it without SSDs. The story had 15 for 70 regions of a
   * server, and 5 without SSDs.
   */
  private static final int FLUSHERS = 6;

  private static final int FLUSHERS_OF_DISKS = 2;

  /**
   * Threads for small compactions. Together with those for large ones, their ratio to flushers is
   * the story's. It had 8 for 70 regions of a server, and 3 without SSDs. Large ones get a few
   * more, because a stream to one disk is as slow as that disk. With more for small ones,
   * compactions would keep up, unlike in the story. Its devices, 1,536 MB/s in a node, wrote at
   * most four and a half times the inserted bytes, logs included.
   */
  private static final int SMALL_COMPACTORS = 1;

  private static final int LARGE_COMPACTORS = 3;
  private static final int LARGE_COMPACTORS_OF_DISKS = 1;

  /** The story's number. */
  private static final int BLOCKING_STORE_FILES = 15;

  /** HBase's default: a flush waits this long for compactions, and then continues. */
  private static final Duration BLOCKING_WAIT = Duration.ofSeconds(90);

  /** HBase's default pause of a refused client. It grows to two hundred times as long. */
  private static final Duration CLIENT_PAUSE = Duration.ofMillis(100);

  /** So many retries that slow requests do not fail. */
  private static final int CLIENT_RETRIES = 1000;

  /** More than the number of client threads. */
  private static final int HANDLERS = 100;

  private static final String SERVER_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String THREADS_BEAN = "Hadoop:service=DataNode,name=JvmMetrics";
  private static final String REGIONSERVER = "org.apache.hadoop.hbase.regionserver.";
  private static final String MEMSTORES = "hbase.regionserver.global.memstore.size";
  private static final String COMPACTORS = "hbase.regionserver.thread.compaction.";
  private static final int DISKS_PER_CONTROLLER = 4;
  private static final long HEAP_BYTES = 2L << 30;
  private static final double BLOCK_CACHE = 0.1;

  /** The shortest block that the NameNode's defaults allow. */
  private static final long MIN_BLOCK = 1 << 20;

  private static final long CHECKSUM_CHUNK = 512;

  /** Logs roll at half of this size; it is small, so they change volumes now and then. */
  private static final long LOG_BLOCK = 8 << 20;

  private static final Duration ARCHIVE_TTL = Duration.ofMinutes(5);
  private static final Duration CLEANER_INTERVAL = Duration.ofMinutes(1);
  private final TierCase one;

  /**
   * Starts the cluster without progress.
   *
   * @param conf additional configuration of the RegionServer
   * @param process changes the options of DataNode and RegionServer
   */
  TierCluster(
      Run run,
      TierCase one,
      TierVariant variant,
      TierScale scale,
      Map<String, String> conf,
      Consumer<DaemonOptions> process)
      throws IOException {
    super(
        new Run(run.directory(), Console.silent(), run.results()),
        "",
        builder -> build(builder, one, variant, scale, conf, process));
    this.one = one;
    long pause = scale.time(one.dataset(), CLIENT_PAUSE).toMillis();
    configuration().setLong("hbase.client.pause", pause);
    configuration().setInt("hbase.client.retries.number", CLIENT_RETRIES);
    try {
      admin().createTable(variant.table(one, scale), YcsbRows.splits(TierScale.REGIONS));
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static void build(
      ClusterBuilder builder,
      TierCase one,
      TierVariant variant,
      TierScale scale,
      Map<String, String> conf,
      Consumer<DaemonOptions> process) {
    Layout layout = Layout.here();
    builder
        .quickClose()
        .daemon(Role.DATANODE, process)
        .daemon(Role.REGIONSERVER, process)
        .daemon(Role.DATANODE, options -> variant.dataNode(options, layout, one, scale))
        .daemon(Role.MASTER, options -> variant.master(options, layout))
        .daemon(
            Role.REGIONSERVER,
            options -> {
              options.heap(Long.toString(HEAP_BYTES));
              options.conf("hbase.wal.storage.policy", one.wal().policy());
              variant.regionServer(options, layout);
              options.conf(conf);
            });
    if (scale.pages()) {
      builder
          .pageCache(scale.pageCacheBytes(one.dataset(), one.volumes()))
          .dropLag(scale.dropLagBytes(one.dataset()));
    } else {
      builder.shortCircuit(true);
    }
    settings(one, scale).forEach(builder::conf);
    addDevices(builder, one, scale);
  }

  /** Adds devices: disks have two controllers, SSDs first; RAM has none. */
  private static void addDevices(ClusterBuilder builder, TierCase one, TierScale scale) {
    List<Tier> volumes = one.volumes();
    builder.volumes(volumes.stream().map(Tier::volume).toArray(String[]::new));
    UnaryOperator<VolumeSpeed> behindKernel =
        speed -> scale.behindKernel(speed, one.dataset(), volumes);
    for (int i = 0; i < volumes.size(); i++) {
      VolumeSpeed speed = scale.speed(volumes.get(i));
      builder.slowVolume(i, volumes.get(i) == Tier.RAM ? speed : behindKernel.apply(speed));
    }
    int[] disks =
        IntStream.range(0, volumes.size()).filter(i -> volumes.get(i) != Tier.RAM).toArray();
    if (disks.length > 0) {
      builder.controller(
          behindKernel.apply(scale.firstController()),
          IntStream.of(disks).limit(DISKS_PER_CONTROLLER).toArray());
      builder.controller(
          behindKernel.apply(scale.secondController()),
          IntStream.of(disks).skip(DISKS_PER_CONTROLLER).toArray());
    }
  }

  private static Map<String, String> settings(TierCase one, TierScale scale) {
    TierDataset dataset = one.dataset();
    boolean ssds = one.volumes().contains(Tier.SSD);
    // A large compaction is one that writes a large file.
    return new Params()
        .with("dfs.storage.default.policy", one.bottom().policy())
        .with("dfs.blocksize", block(scale.flushBytes(dataset)))
        .with("dfs.client-write-packet-size", scale.packetBytes())
        .with("hbase.hregion.memstore.flush.size", scale.flushBytes(dataset))
        .with("hbase.hregion.memstore.flush.size.limit", 1)
        .with(MEMSTORES, (double) scale.memstoreBytes(dataset) / HEAP_BYTES)
        .with("hfile.block.cache.size", BLOCK_CACHE)
        .with("hbase.hstore.flusher.count", ssds ? FLUSHERS : FLUSHERS_OF_DISKS)
        .with(COMPACTORS + "small", SMALL_COMPACTORS)
        .with(COMPACTORS + "large", ssds ? LARGE_COMPACTORS : LARGE_COMPACTORS_OF_DISKS)
        .with(COMPACTORS + "throttle", scale.limitBytes(dataset))
        .with("hbase.hstore.blockingStoreFiles", BLOCKING_STORE_FILES)
        .with("hbase.hstore.blockingWaitTime", scale.time(dataset, BLOCKING_WAIT).toMillis())
        .with("hbase.regionserver.handler.count", HANDLERS)
        .with("hbase.wal.provider", "multiwal")
        .with("hbase.wal.regiongrouping.numgroups", 4)
        .with("hbase.regionserver.hlog.blocksize", LOG_BLOCK)
        .with("hbase.regionserver.region.split.policy", REGIONSERVER + "DisabledRegionSplitPolicy")
        // The story's HBase did not limit compactions.
        .with(
            "hbase.regionserver.throughput.controller",
            REGIONSERVER + "throttle.NoLimitThroughputController")
        .with("hbase.hfile.compaction.discharger.interval", 1000)
        .with("hbase.master.hfilecleaner.ttl", scale.time(dataset, ARCHIVE_TTL).toMillis())
        .with("hbase.master.logcleaner.ttl", 1000)
        .with("hbase.master.cleaner.interval", scale.time(dataset, CLEANER_INTERVAL).toMillis());
  }

  /** Returns the block size; a flush is about one block, as in the story. */
  private static long block(long flush) {
    long least = Math.max(MIN_BLOCK, flush);
    return (least + CHECKSUM_CHUNK - 1) / CHECKSUM_CHUNK * CHECKSUM_CHUNK;
  }

  /** Returns the tier of each volume. */
  List<Tier> volumes() {
    return one.volumes();
  }

  /** Reads all counters; those of the RegionServer may be a second old. */
  TierReading read() throws IOException {
    return new TierReading(
        System.currentTimeMillis(),
        dataNode().deviceUse(),
        MachineCpu.now(),
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
