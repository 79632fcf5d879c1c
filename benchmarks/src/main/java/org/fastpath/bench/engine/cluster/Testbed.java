package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.results.Results;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Role;

/**
 * A cluster whose RegionServer and DataNode change sides while the data stay.
 *
 * <p>Its configuration keeps HBase from doing anything that was not asked for: no splits, no
 * compactions of its own, no throttle on those that were asked for. It also keeps the data in the
 * page cache: HBase tells the DataNode to drop what a compaction has read and written, which only a
 * DataNode with libhadoop can do, so that otherwise the sides would differ in disk reads, too.
 *
 * <p>HBase verifies its own checksums and reads without HDFS's ({@code
 * hbase.regionserver.checksum.verify}, on by default); what it writes gets both HBase's checksums
 * and HDFS's, and the DataNode verifies the latter.
 */
public final class Testbed extends Cluster {
  private static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final String REGIONS_BEAN = SERVER + "FastpathRegions";
  private static final String IO_BEAN = SERVER + "IO";
  private static final String SERVER_BEAN = SERVER + "Server";
  private static final String GC_LOG = "regionserver-gc.log";

  /** Less than any cache off the heap has. */
  private static final long LEAST_HUGE_BYTES = 32L << 20;

  /** For what a RegionServer keeps off the heap besides: buffers of its RPC server and of HDFS. */
  private static final int OTHER_DIRECT = 512;

  /** On all sides alike: compiled code that a profiler can attribute to inlined methods. */
  private static final String[] PROFILER_FLAGS = {
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"
  };

  private static final Map<String, String> CONFIGURATION =
      Map.of(
          "hbase.regionserver.region.split.policy",
          "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy",
          "hbase.regionserver.throughput.controller",
          "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController",
          "hbase.hregion.majorcompaction",
          "0",
          "hbase.hstore.compaction.min",
          "1000",
          "hbase.hstore.blockingStoreFiles",
          "1000",
          "hbase.hregion.memstore.flush.size",
          Long.toString(1L << 30),
          "hbase.hfile.drop.behind.compaction",
          "false",
          // What HBase archives stays until the driver deletes it.
          "hbase.master.hfilecleaner.ttl",
          "86400000");

  private final Path gcLog;
  private final Layout layout = Layout.here();

  /** The side of the processes that have done nothing yet. */
  private Optional<Side> fresh;

  /**
   * Starts the cluster.
   *
   * @param directory its data, logs and configuration
   * @param first the side it starts as
   * @param serverFlags of the RegionServer's JVM on all sides; they win over those it gets anyway
   * @param progress gets a line for every step of starting, restarting and stopping
   * @param more says what it is like besides
   */
  public Testbed(
      Path directory,
      Side first,
      List<String> serverFlags,
      Consumer<String> progress,
      Consumer<ClusterBuilder> more) {
    super(directory, progress, builder -> build(builder, directory, first, serverFlags, more));
    fresh = Optional.of(first);
    gcLog = directory.resolve(GC_LOG);
  }

  private static void build(
      ClusterBuilder builder,
      Path directory,
      Side first,
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
                    .jvmFlags(GcEvent.flag(directory.resolve(GC_LOG)))
                    .jvmFlags(serverFlags.toArray(String[]::new)))
        .firstStart(Role.REGIONSERVER, first.regionServer(layout))
        .firstStart(Role.DATANODE, first.dataNode(layout));
    CONFIGURATION.forEach(builder::conf);
    more.accept(builder);
  }

  /** Flags of a RegionServer with so many megabytes of heap, and of blocks off the heap. */
  public static List<String> memory(int heap, int cache) {
    return List.of(
        "-Xms" + heap + "m",
        "-Xmx" + heap + "m",
        "-XX:MaxDirectMemorySize=" + (cache + OTHER_DIRECT) + "m");
  }

  /**
   * Gives the work to new processes of this side, and says so in the results. Processes that have
   * done nothing yet and are of this side already are kept.
   */
  public void use(Side side, Results.Builder results) throws IOException {
    if (fresh.filter(side::sameServers).isEmpty()) {
      restart(side);
    }
    fresh = Optional.empty();
    confirm(side);
    results.describe(side.id(), side.description() + provider());
  }

  /**
   * The HMaster restarts too, because the log of its own region lies on the DataNode: it may hang
   * when it has to write while the only DataNode is away. It is ready only with a RegionServer, and
   * a RegionServer only with it, so that both start at once.
   *
   * <p>A restarted RegionServer is ready when it has as many regions as it showed last, and what it
   * shows is a moment old: regions of a table that was just dropped must not be waited for.
   */
  private void restart(Side side) throws IOException {
    ServerName server = admin().getRegionServers().iterator().next();
    int regions = admin().getRegions(server).size();
    await("show its " + regions + " regions", () -> shows(SERVER_BEAN, "regionCount", regions));
    Daemon master = processes().daemon(Role.MASTER, 0);
    regionServer().stop();
    master.stop();
    dataNode().restart(side.dataNode(layout));
    CompletableFuture<Void> restarted = CompletableFuture.runAsync(master::restart);
    while (!master.isAlive() && !restarted.isDone()) {
      Pause.millis(100);
    }
    regionServer().restart(side.regionServer(layout));
    try {
      restarted.join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private boolean shows(String bean, String name, long value) throws IOException {
    return regionServer().jmxAttribute(bean, name).equals(Optional.of(Long.toString(value)));
  }

  /** Fails unless the processes are what the side says, so that no figure gets a wrong name. */
  private void confirm(Side side) throws IOException {
    confirmLibhadoop(regionServer(), side.hbaseNative());
    confirmLibhadoop(dataNode(), side.hdfsNative());
    // What is shown may be some seconds old: HBase restarts its metrics when regions open.
    await(
        "show that it is side " + side.id(),
        () ->
            observed().isEmpty() != side.observesRegions()
                && has("OffHeapCache") == side.cachesBlocks()
                && has("Checksum") == side.computesChecksums());
    if (side.hugePages() && ofProcess("smaps_rollup", "AnonHugePages:") << 10 < LEAST_HUGE_BYTES) {
      throw new IllegalStateException(
          "side "
              + side.id()
              + " has no huge pages: that takes madvise or always in"
              + " /sys/kernel/mm/transparent_hugepage/enabled, free memory, and glibc 2.35 or later");
    }
  }

  private boolean has(String source) throws IOException {
    return regionServer().jmx(SERVER + source).contains("modelerType");
  }

  /** What the RegionServer computes CRC32C with, as it says itself; empty where it is stock. */
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

  /** Waits until the metrics of ours show one table and not the others. */
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

  /** The metrics of regions as JSON; empty where there are none. */
  private String observed() throws IOException {
    String json = regionServer().jmx(REGIONS_BEAN);
    return json.contains("tag.") ? json : "";
  }

  /** Waits until that many store files are read by the off-heap reader. */
  public void awaitReader(int files) throws IOException {
    await(
        "read " + files + " files by the off-heap reader",
        () -> shows(SERVER + "OffHeapReader", "openFileCount", files));
  }

  /** Runs the work and says what it cost the servers. */
  public Usage measure(Usage.Work work) throws IOException {
    return Usage.of(regionServer(), dataNode(), work);
  }

  /** The number in a line of what the kernel says of the RegionServer's process. */
  private long ofProcess(String file, String name) throws IOException {
    Path path = Path.of("/proc", Long.toString(regionServer().pid()), file);
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /**
   * Reads the RegionServer's counters. They are those of this moment if none was asked for in the
   * last second, which is how long Metrics2 keeps what it has shown.
   */
  Window.Counters counters() throws IOException {
    long reads = counter(IO_BEAN, "FsPReadTime_num_ops");
    return new Window.Counters(
        counter(SERVER_BEAN, "l2CacheHitCount"),
        counter(SERVER_BEAN, "l2CacheMissCount"),
        reads + counter(IO_BEAN, "FsReadTime_num_ops"),
        reads,
        ofProcess("io", "read_bytes:"));
  }

  /** Heap of the RegionServer in use. */
  long heapBytes() throws IOException {
    // The first attribute of that name: that of the heap.
    return counter("java.lang:type=Memory", "used");
  }

  /** Blocks that the RegionServer has read from HDFS, perhaps a second ago. */
  public long blockReads() throws IOException {
    return counter(IO_BEAN, "FsPReadTime_num_ops") + counter(IO_BEAN, "FsReadTime_num_ops");
  }

  /** Pauses of the RegionServer that was started last, for garbage collection. */
  List<GcEvent> collections() throws IOException {
    return GcEvent.read(gcLog);
  }
}
