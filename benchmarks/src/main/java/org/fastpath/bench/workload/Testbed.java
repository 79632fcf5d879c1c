package org.fastpath.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.fastpath.bench.Layout;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/**
 * A local cluster whose RegionServer and DataNode change sides while the data stay, and a client
 * connection to it.
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
public final class Testbed implements AutoCloseable {
  private static final String CHECKSUM_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Checksum";
  private static final String REGIONS_BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=FastpathRegions";
  private static final String CACHE_BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=OffHeapCache";
  private static final String READER_BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=OffHeapReader";
  private static final String PINS_BEAN =
      "Hadoop:service=HBase,name=RegionServer,sub=HdfsCachePins";
  private static final String IO_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=IO";
  private static final String MEMORY_BEAN = "java.lang:type=Memory";
  private static final String SERVER_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final Duration SHOWN_LIMIT = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 100;

  /** Less than any cache off the heap has. */
  private static final long LEAST_HUGE_BYTES = 32L << 20;

  private static final String LIBHADOOP = "/libhadoop.so";
  private static final String HEAP = "2g";

  /** On all sides alike: compiled code that a profiler can attribute to inlined methods. */
  private static final String[] PROFILER_FLAGS = {
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"
  };

  private static final Map<String, String> CONFIGURATION =
      Map.ofEntries(
          Map.entry(
              "hbase.regionserver.region.split.policy",
              "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy"),
          Map.entry(
              "hbase.regionserver.throughput.controller",
              "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController"),
          Map.entry("hbase.hregion.majorcompaction", "0"),
          Map.entry("hbase.hstore.compaction.min", "1000"),
          Map.entry("hbase.hstore.blockingStoreFiles", "1000"),
          Map.entry("hbase.hregion.memstore.flush.size", Long.toString(1L << 30)),
          Map.entry("hbase.hfile.drop.behind.compaction", "false"),
          // What HBase archives stays until the driver deletes it.
          Map.entry("hbase.master.hfilecleaner.ttl", Long.toString(86_400_000L)));

  private final LocalCluster cluster;
  private final Path gcLog;
  private final Layout layout = Layout.here();
  private final Connection connection;
  private final Admin admin;

  /** The side of the processes that have done nothing yet. */
  private Optional<Side> fresh;

  /**
   * Starts the cluster.
   *
   * @param directory its data, logs and configuration
   * @param first the side it starts as
   * @param conf further keys for all daemons
   * @param shortCircuit whether the RegionServer reads blocks past the DataNode, which it can only
   *     with libhadoop
   * @param progress gets a line for every step of starting, restarting and stopping
   */
  public Testbed(
      Path directory,
      Side first,
      Map<String, String> conf,
      boolean shortCircuit,
      Consumer<String> progress)
      throws IOException {
    this(directory, first, conf, shortCircuit, List.of(), progress);
  }

  /**
   * The same with a RegionServer whose JVM gets further flags on all sides; they win over the flags
   * it gets anyway.
   */
  Testbed(
      Path directory,
      Side first,
      Map<String, String> conf,
      boolean shortCircuit,
      List<String> serverFlags,
      Consumer<String> progress)
      throws IOException {
    this(
        directory,
        first,
        builder -> {
          conf.forEach(builder::conf);
          builder.shortCircuit(shortCircuit);
        },
        serverFlags,
        progress);
  }

  /** The same with a cluster that {@code more} has its way with. */
  Testbed(
      Path directory,
      Side first,
      Consumer<ClusterBuilder> more,
      List<String> serverFlags,
      Consumer<String> progress)
      throws IOException {
    requireJars();
    fresh = Optional.of(first);
    gcLog = directory.resolve("regionserver-gc.log");
    ClusterBuilder builder =
        LocalCluster.builder()
            .directory(directory)
            .jars(layout.libDirectory())
            .onProgress(progress)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options
                        .heap(HEAP)
                        .jvmFlags(PROFILER_FLAGS)
                        .jvmFlags(GcEvent.flag(gcLog))
                        .jvmFlags(serverFlags.toArray(String[]::new)))
            .firstStart(Role.REGIONSERVER, first.regionServer(layout))
            .firstStart(Role.DATANODE, first.dataNode(layout));
    CONFIGURATION.forEach(builder::conf);
    more.accept(builder);
    cluster = builder.start();
    try {
      connection = ConnectionFactory.createConnection(clientConfiguration());
      admin = connection.getAdmin();
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void requireJars() {
    for (String name : Layout.OUR_JARS) {
      Path jar = layout.jar(name);
      if (!Files.isRegularFile(jar)) {
        throw new IllegalStateException(jar + " is missing: build the project first");
      }
    }
  }

  private Configuration clientConfiguration() {
    Configuration conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    return conf;
  }

  /**
   * Gives the work to new processes of this side. Processes that have done nothing yet and are of
   * this side already are kept.
   */
  public void use(Side side) throws IOException {
    if (fresh.filter(side::sameServers).isEmpty()) {
      restart(side);
    }
    fresh = Optional.empty();
    confirm(side);
  }

  /**
   * The HMaster restarts too, because the log of its own region lies on the DataNode: it may hang
   * when it has to write while the only DataNode is away. It is ready only with a RegionServer, and
   * a RegionServer only with it, so that both start at once.
   */
  private void restart(Side side) throws IOException {
    awaitShownRegions();
    regionServer().stop();
    master().stop();
    dataNode().restart(side.dataNode(layout));
    CompletableFuture<Void> master = CompletableFuture.runAsync(master()::restart);
    while (!master().isAlive() && !master.isDone()) {
      Pause.millis(POLL_MILLIS);
    }
    regionServer().restart(side.regionServer(layout));
    try {
      master.join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * A restarted RegionServer is ready when it has as many regions as it showed last, and what it
   * shows is a moment old: regions of a table that was just dropped must not be waited for.
   */
  private void awaitShownRegions() throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    String expected = Integer.toString(admin.getRegions(server).size());
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (!regionServer().jmxAttribute(SERVER_BEAN, "regionCount").equals(Optional.of(expected))) {
      pauseUntil(deadline, "show its " + expected + " regions");
    }
  }

  private void pauseUntil(long deadline, String awaited) throws IOException {
    if (System.nanoTime() > deadline) {
      throw new IOException(
          regionServer().name() + " does not " + awaited + "; its log is " + regionServer().log());
    }
    Pause.millis(POLL_MILLIS);
  }

  /** Fails unless the processes are what the side says, so that no figure gets a wrong name. */
  private void confirm(Side side) throws IOException {
    confirmLibhadoop(regionServer(), side.hbaseNative());
    confirmLibhadoop(dataNode(), side.hdfsNative());
    confirmObserved(side);
    confirmCache(side);
    confirmHugePages(side);
    if (provider(side.computesChecksums()).isPresent() != side.computesChecksums()) {
      throw new IllegalStateException(
          "side "
              + side.id()
              + " is set up wrongly: "
              + regionServer().name()
              + " runs "
              + (side.computesChecksums() ? "without" : "with")
              + " our checksums");
    }
  }

  /** What is shown may be some seconds old: HBase restarts its metrics when regions open. */
  private void confirmObserved(Side side) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (observed().isEmpty() == side.observesRegions()) {
      pauseUntil(deadline, (side.observesRegions() ? "" : "stop to ") + "observe its regions");
    }
  }

  private void confirmCache(Side side) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (regionServer().jmxAttribute(CACHE_BEAN, "capacityBytes").isPresent()
        != side.cachesBlocks()) {
      pauseUntil(deadline, (side.cachesBlocks() ? "" : "stop to ") + "show our block cache");
    }
  }

  private void confirmHugePages(Side side) throws IOException {
    if (side.hugePages() && hugePageBytes() < LEAST_HUGE_BYTES) {
      throw new IllegalStateException(
          "side "
              + side.id()
              + " has no huge pages: that takes madvise or always in"
              + " /sys/kernel/mm/transparent_hugepage/enabled, free memory, and glibc 2.35 or later");
    }
  }

  private long hugePageBytes() throws IOException {
    return ofProcess("smaps_rollup", "AnonHugePages:") << 10;
  }

  /** The number in a line of what the kernel says of the RegionServer's process. */
  private long ofProcess(String file, String name) throws IOException {
    Path path = Path.of("/proc", Long.toString(regionServer().pid()), file);
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /** Waits until the metrics of ours show one table and not the others. */
  void confirmObserved(DataTable table, List<DataTable> others) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (!observed().contains(quoted(table))
        || others.stream().map(Testbed::quoted).anyMatch(observed()::contains)) {
      pauseUntil(deadline, "observe " + table.name() + " alone");
    }
  }

  private static String quoted(DataTable table) {
    return '"' + table.name().getNameAsString() + '"';
  }

  /** The metrics of regions as JSON; empty where there are none. */
  private String observed() throws IOException {
    String json = regionServer().jmx(REGIONS_BEAN);
    return json.contains("tag.") ? json : "";
  }

  /** A figure of the first region that has metrics of ours; empty where none has it. */
  public Optional<String> regionMetric(String name) throws IOException {
    return regionServer().jmxAttribute(REGIONS_BEAN, name);
  }

  private static void confirmLibhadoop(Daemon daemon, boolean expected) throws IOException {
    boolean loaded =
        Files.readString(Path.of("/proc/" + daemon.pid() + "/maps")).contains(LIBHADOOP);
    if (loaded != expected) {
      throw new IllegalStateException(
          daemon.name()
              + " has "
              + (loaded ? "" : "not ")
              + "loaded libhadoop; its log is "
              + daemon.log());
    }
  }

  /**
   * What the RegionServer computes CRC32C with, as it says itself; empty where it is stock.
   *
   * @param expected whether to wait for it: HBase takes all its beans away for half a second, a few
   *     seconds after a region was opened
   */
  private Optional<String> provider(boolean expected) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    Optional<String> provider;
    do {
      provider = regionServer().jmxAttribute(CHECKSUM_BEAN, "tag.crc32cProvider");
      if (provider.isPresent() == expected) {
        return provider;
      }
      Pause.millis(POLL_MILLIS);
    } while (System.nanoTime() < deadline);
    return provider;
  }

  /** What this side is, for the report, with the provider where it is ours. */
  public String describe(Side side) throws IOException {
    return side.description()
        + provider(side.computesChecksums())
            .map(name -> "; CRC32C is computed by provider " + name)
            .orElse("");
  }

  /** Runs the work and says what it cost the servers. */
  public Usage measure(Usage.Work work) throws IOException {
    return Usage.of(regionServer(), dataNode(), work);
  }

  /**
   * Reads the RegionServer's counters. They are those of this moment if none was asked for in the
   * last second, which is how long Metrics2 keeps what it has shown.
   *
   * @param rows what clients have read so far
   */
  ServerReading read(LongSupplier rows) throws IOException {
    long reads = counter(IO_BEAN, "FsPReadTime_num_ops");
    return new ServerReading(
        System.currentTimeMillis(),
        rows.getAsLong(),
        regionServer().cpuTime(),
        counter(SERVER_BEAN, "l2CacheHitCount"),
        counter(SERVER_BEAN, "l2CacheMissCount"),
        reads + counter(IO_BEAN, "FsReadTime_num_ops"),
        reads,
        heapBytes(),
        ofProcess("io", "read_bytes:"));
  }

  /** Heap of the RegionServer in use. */
  long heapBytes() throws IOException {
    // The first attribute of that name: that of the heap.
    return counter(MEMORY_BEAN, "used");
  }

  /** What the RegionServer has pinned and unpinned, perhaps a second ago. */
  PinReading pins() throws IOException {
    return new PinReading(
        counter(PINS_BEAN, "pinnedBytes"),
        counter(PINS_BEAN, "cachedBytes"),
        counter(PINS_BEAN, "pinCount") + counter(PINS_BEAN, "unpinCount"));
  }

  /** Blocks that the RegionServer has read from HDFS, perhaps a second ago. */
  long blockReads() throws IOException {
    return counter(IO_BEAN, "FsPReadTime_num_ops") + counter(IO_BEAN, "FsReadTime_num_ops");
  }

  /** Waits until that many store files are read by the off-heap reader. */
  void confirmReader(int files) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    while (!regionServer()
        .jmxAttribute(READER_BEAN, "openFileCount")
        .equals(Optional.of(Integer.toString(files)))) {
      pauseUntil(deadline, "read " + files + " files by the off-heap reader");
    }
  }

  /** HBase takes all its beans away for half a second, a few seconds after a region was opened. */
  private long counter(String bean, String name) throws IOException {
    long deadline = System.nanoTime() + SHOWN_LIMIT.toNanos();
    Optional<String> value = regionServer().jmxAttribute(bean, name);
    while (value.isEmpty()) {
      pauseUntil(deadline, "show " + name);
      value = regionServer().jmxAttribute(bean, name);
    }
    return Long.parseLong(value.get());
  }

  /** Pauses of the RegionServer that was started last, for garbage collection. */
  List<GcEvent> collections() throws IOException {
    return GcEvent.read(gcLog);
  }

  private Daemon master() {
    return cluster.daemon(Role.MASTER, 0);
  }

  /** The RegionServer. */
  public Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  /** The DataNode. */
  public Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  /** For tables, snapshots and compactions. */
  public Admin admin() {
    return admin;
  }

  /** For reads and writes. */
  public Connection connection() {
    return connection;
  }

  /** Closes the connection and stops all processes. */
  @Override
  public void close() {
    try {
      admin.close();
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cluster.close();
    }
  }
}
