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
  /** A lower bound of the size of any cache off the heap, in bytes. */
  private static final long MIN_HUGE_BYTES = 32L << 20;

  /** Keys that disable the background work, beside {@link Cluster#QUIET}. */
  public static final Map<String, String> UNDISTURBED =
      Map.of(
          "hbase.regionserver.throughput.controller",
              "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController",
          "hbase.hregion.memstore.flush.size", Long.toString(1L << 30),
          "hbase.hfile.drop.behind.compaction", "false",
          // Archived files stay until the driver deletes them.
          "hbase.master.hfilecleaner.ttl", "86400000");

  private final Layout layout = Layout.here();

  /** The variant of processes that have not worked yet. */
  private Optional<Variant> fresh;

  public Testbed(Run run, Variant first, List<String> serverFlags, Consumer<ClusterBuilder> more) {
    this(run, "", first, serverFlags, more);
  }

  /** Starts one of several clusters; the flags override others of the RegionServer's JVM. */
  public Testbed(
      Run run,
      String name,
      Variant first,
      List<String> serverFlags,
      Consumer<ClusterBuilder> more) {
    super(
        run,
        name,
        builder -> {
          Layout layout = Layout.here();
          layout.requireJars();
          String[] flags = serverFlags.toArray(String[]::new);
          builder
              .daemon(
                  Role.REGIONSERVER,
                  options ->
                      options
                          .heap("2g")
                          // A profiler can attribute the compiled code to inlined methods.
                          .jvmFlags("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints")
                          .jvmFlags(flags))
              .firstStart(Role.REGIONSERVER, first.regionServer(layout))
              .firstStart(Role.DATANODE, first.dataNode(layout));
          QUIET.forEach(builder::conf);
          UNDISTURBED.forEach(builder::conf);
          more.accept(builder);
        });
    fresh = Optional.of(first);
  }

  /**
   * Returns the flags of a RegionServer with these megabytes of heap and of off-heap blocks. The
   * heap is in memory from the start. Its other off-heap memory, 512 MB, is for buffers of its RPC
   * server and HDFS.
   */
  public static List<String> memory(int heap, int cache) {
    String directMemory = "-XX:MaxDirectMemorySize=" + (cache + 512) + "m";
    return List.of("-Xms" + heap + "m", "-Xmx" + heap + "m", "-XX:+AlwaysPreTouch", directMemory);
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
    String provider = checksums(variant) ? provider() : "";
    results.describe(variant.id(), variant.description() + provider);
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
            observed().isEmpty() != variant.conf().containsValue(Variant.METERED)
                && has("OffHeapCache") == variant.conf().containsValue(Variant.OFF_HEAP_CACHE)
                && has("Checksum") == checksums(variant));
    boolean huge = variant.environment().equals(Variant.HUGE_PAGES);
    if (huge && ofProcess("smaps_rollup", "AnonHugePages:") << 10 < MIN_HUGE_BYTES) {
      throw new IllegalStateException(
          "side "
              + variant.id()
              + " has no huge pages; they need madvise or always in"
              + " /sys/kernel/mm/transparent_hugepage/enabled, free memory, and glibc 2.35 or"
              + " later");
    }
  }

  private static boolean checksums(Variant variant) {
    return variant.jars().contains(Layout.CHECKSUM_JAR);
  }

  private boolean has(String source) throws IOException {
    return regionServer().jmx(SERVER + source).contains("modelerType");
  }

  private static void confirmLibhadoop(Daemon daemon, boolean expected) throws IOException {
    String maps = Files.readString(Path.of("/proc/" + daemon.pid() + "/maps"));
    if (maps.contains("/libhadoop.so") != expected) {
      String state = expected ? " has not loaded libhadoop" : " has loaded libhadoop";
      throw new IllegalStateException(daemon.name() + state + "; its log is " + daemon.log());
    }
  }

  public void awaitReader(int files) throws IOException {
    await(
        "read " + files + " files by the off-heap reader",
        () -> shows(SERVER + "OffHeapReader", "openFileCount", files));
  }
}
