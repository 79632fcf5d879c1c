package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Role;

/**
 * A cluster whose RegionServer and DataNode change variants while the data stay.
 *
 * <p>Its configuration disables all background work of HBase: splits, compactions of its own, and
 * the throttle of requested ones. It also keeps the data in the page cache. Otherwise HBase tells
 * the DataNode to drop the bytes of a compaction. Only a DataNode with libhadoop can do that, so
 * the variants would also differ in disk reads.
 *
 * <p>HBase verifies its own checksums and reads without HDFS's ({@code
 * hbase.regionserver.checksum.verify}, on by default). Its writes get both HBase's checksums and
 * HDFS's. The DataNode verifies the latter.
 */
public final class Testbed extends Cluster {
  private static final String REGIONSERVER = "org.apache.hadoop.hbase.regionserver.";
  private static final String REGIONS_BEAN = SERVER + "FastpathRegions";

  /** A lower bound of the size of any cache off the heap, in bytes. */
  private static final long MIN_HUGE_BYTES = 32L << 20;

  /** Megabytes of a RegionServer's other off-heap memory: buffers of its RPC server and HDFS. */
  private static final int OTHER_DIRECT = 512;

  /** Equal on all variants: a profiler can attribute the compiled code to inlined methods. */
  private static final String[] PROFILER_FLAGS = {
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"
  };

  private static final Map<String, String> CONFIGURATION =
      Map.of(
          "hbase.regionserver.region.split.policy", REGIONSERVER + "DisabledRegionSplitPolicy",
          "hbase.regionserver.throughput.controller",
              REGIONSERVER + "throttle.NoLimitThroughputController",
          "hbase.hregion.majorcompaction", "0",
          "hbase.hstore.compaction.min", "1000",
          "hbase.hstore.blockingStoreFiles", "1000",
          "hbase.hregion.memstore.flush.size", Long.toString(1L << 30),
          "hbase.hfile.drop.behind.compaction", "false",
          // Archived files stay until the driver deletes them.
          "hbase.master.hfilecleaner.ttl", "86400000");

  private final Layout layout = Layout.here();

  /** The variant of processes that have not worked yet. */
  private Optional<Variant> fresh;

  /** Starts the only cluster of a run. */
  public Testbed(Run run, Variant first, List<String> serverFlags, Consumer<ClusterBuilder> more) {
    this(run, "", first, serverFlags, more);
  }

  /**
   * Starts the cluster.
   *
   * @param name its name in the progress; empty for the only cluster of a run
   * @param first the variant it starts as
   * @param serverFlags flags of the RegionServer's JVM on all variants; they override its other
   *     flags
   * @param more changes its description
   */
  public Testbed(
      Run run,
      String name,
      Variant first,
      List<String> serverFlags,
      Consumer<ClusterBuilder> more) {
    super(run, name, builder -> build(builder, first, serverFlags, more));
    fresh = Optional.of(first);
  }

  private static void build(
      ClusterBuilder builder,
      Variant first,
      List<String> serverFlags,
      Consumer<ClusterBuilder> more) {
    Layout layout = Layout.here();
    layout.requireJars();
    builder
        .daemon(
            Role.REGIONSERVER,
            options ->
                options
                    .heap("2g")
                    .jvmFlags(PROFILER_FLAGS)
                    .jvmFlags(serverFlags.toArray(String[]::new)))
        .firstStart(Role.REGIONSERVER, first.regionServer(layout))
        .firstStart(Role.DATANODE, first.dataNode(layout));
    CONFIGURATION.forEach(builder::conf);
    more.accept(builder);
  }

  /** Returns the flags of a RegionServer with these megabytes of heap and of off-heap blocks. */
  public static List<String> memory(int heap, int cache) {
    return List.of(
        "-Xms" + heap + "m",
        "-Xmx" + heap + "m",
        "-XX:MaxDirectMemorySize=" + (cache + OTHER_DIRECT) + "m");
  }

  /**
   * Starts new processes of this variant and describes it in the results. Processes that are of
   * this variant and have not worked yet stay.
   */
  public void use(Variant variant, Results.Builder results) throws IOException {
    if (fresh.filter(variant::sameServers).isEmpty()) {
      restart(variant);
    }
    fresh = Optional.empty();
    confirm(variant);
    results.describe(variant.id(), variant.description() + provider());
  }

  /**
   * Restarts the servers. The HMaster restarts too, because the log of its own region is on the
   * DataNode. It may hang if it writes while the only DataNode is down. HMaster and RegionServer
   * need each other, so both start at once.
   *
   * <p>A restarted RegionServer is ready when it has as many regions as it showed last. That number
   * is slightly old, so regions of a just dropped table must not be awaited.
   */
  private void restart(Variant variant) throws IOException {
    ServerName server = admin().getRegionServers().iterator().next();
    int regions = admin().getRegions(server).size();
    await(
        "show its " + regions + " regions", () -> shows(SERVER + "Server", "regionCount", regions));
    Daemon master = processes().daemon(Role.MASTER, 0);
    regionServer().stop();
    master.stop();
    dataNode().restart(variant.dataNode(layout));
    Future<Void> restarted = CompletableFuture.runAsync(master::restart);
    while (!master.isAlive() && !restarted.isDone()) {
      Pause.millis(100);
    }
    regionServer().restart(variant.regionServer(layout));
    Pause.await(restarted);
  }

  private boolean shows(String bean, String name, long value) throws IOException {
    return regionServer().jmxAttribute(bean, name).equals(Optional.of(Long.toString(value)));
  }

  /** Fails unless the processes match the variant, so no figure gets a wrong name. */
  private void confirm(Variant variant) throws IOException {
    confirmLibhadoop(regionServer(), variant.hbaseNative());
    confirmLibhadoop(dataNode(), variant.hdfsNative());
    // The metrics may be some seconds old, because HBase restarts them when regions open.
    await(
        "show that it is side " + variant.id(),
        () ->
            observed().isEmpty() != variant.observesRegions()
                && has("OffHeapCache") == variant.cachesBlocks()
                && has("Checksum") == variant.computesChecksums());
    if (variant.hugePages() && ofProcess("smaps_rollup", "AnonHugePages:") << 10 < MIN_HUGE_BYTES) {
      throw new IllegalStateException(
          "side "
              + variant.id()
              + " has no huge pages; they need madvise or always in"
              + " /sys/kernel/mm/transparent_hugepage/enabled, free memory, and glibc 2.35 or later");
    }
  }

  private boolean has(String source) throws IOException {
    return regionServer().jmx(SERVER + source).contains("modelerType");
  }

  /** Returns the provider of CRC32C that the RegionServer reports; empty for stock checksums. */
  private String provider() throws IOException {
    return regionServer()
        .jmxAttribute(SERVER + "Checksum", "tag.crc32cProvider")
        .map(name -> "; CRC32C is computed by provider " + name)
        .orElse("");
  }

  private static void confirmLibhadoop(Daemon daemon, boolean expected) throws IOException {
    String maps = Files.readString(Path.of("/proc/" + daemon.pid() + "/maps"));
    if (maps.contains("/libhadoop.so") != expected) {
      throw new IllegalStateException(
          daemon.name()
              + " has "
              + (expected ? "not " : "")
              + "loaded libhadoop; its log is "
              + daemon.log());
    }
  }

  /** Waits until our metrics show one table and not the others. */
  public void awaitObserved(DataTable table, List<DataTable> others) throws IOException {
    await(
        "observe " + table.name() + " alone",
        () -> {
          String shown = observed();
          return shown.contains(quoted(table))
              && others.stream().map(Testbed::quoted).noneMatch(shown::contains);
        });
  }

  private static String quoted(DataTable table) {
    return '"' + table.name().getNameAsString() + '"';
  }

  /** Returns the metrics of regions as JSON; empty if there are none. */
  private String observed() throws IOException {
    String json = regionServer().jmx(REGIONS_BEAN);
    return json.contains("tag.") ? json : "";
  }

  /** Waits until the off-heap reader reads that many store files. */
  public void awaitReader(int files) throws IOException {
    await(
        "read " + files + " files by the off-heap reader",
        () -> shows(SERVER + "OffHeapReader", "openFileCount", files));
  }
}
