package org.fastpath.bench.engine.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.GcEvent;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;

/** A local cluster of real processes and its client. Not thread-safe except for its connection. */
public class Cluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=";

  /** Keys that disable splits and compactions of HBase's own. */
  public static final Map<String, String> QUIET =
      Map.of(
          "hbase.regionserver.region.split.policy",
              "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy",
          "hbase.hregion.majorcompaction", "0",
          "hbase.hstore.compaction.min", "1000",
          "hbase.hstore.blockingStoreFiles", "1000");

  private final LocalCluster cluster;
  final Path gcLog;
  private final Configuration configuration;
  private Connection connection;
  private Admin admin;
  private DistributedFileSystem files;

  /**
   * Starts the only cluster of a run, without a name, or one of several. Their names begin with
   * different letters.
   */
  public Cluster(Run run, String name, Consumer<ClusterBuilder> more) {
    String prefix = name.isEmpty() ? "" : name.replace(' ', '-') + "-";
    gcLog = run.directory().resolve(prefix + "regionserver-gc.log");
    ClusterBuilder builder =
        LocalCluster.builder()
            // A short path, because the directory contains sockets.
            .directory(run.directory().cluster().resolve(StringUtils.left(name, 1)))
            .jars(Layout.here().libDirectory())
            .onProgress(line -> run.console().line(name.isEmpty() ? line : name + ": " + line))
            .daemon(Role.REGIONSERVER, options -> options.jvmFlags(GcEvent.flag(gcLog)));
    more.accept(builder);
    cluster = builder.start();
    configuration = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(configuration::set);
    // The driver has no libhadoop.
    configuration.set("dfs.client.read.shortcircuit", "false");
  }

  /** Gives a stock RegionServer a BucketCache off the heap. */
  public static void bucketCache(ClusterBuilder builder, int megabytes) {
    builder
        .conf("hbase.bucketcache.ioengine", "offheap")
        .conf("hbase.bucketcache.size", Integer.toString(megabytes));
  }

  /** Switches on modules of ours with inline reads. Half of the locked bytes may be pinned. */
  public static void modules(
      ClusterBuilder builder, Set<Modules> modules, int cacheMegabytes, long lockedBytes) {
    builder
        .fastpath(modules)
        .fastpathJars(Layout.here().base().resolve("fastpath"))
        .fastpathSizes(new FastpathSizes((long) cacheMegabytes << 20, lockedBytes, lockedBytes / 2))
        .conf("hbase.fastpath.inline-reads.enabled", "true");
  }

  /** Returns the clients' configuration; changes affect connections that are made later. */
  public Configuration configuration() {
    return configuration;
  }

  public LocalCluster processes() {
    return cluster;
  }

  public Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  public Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  public Connection connection() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration);
    }
    return connection;
  }

  public Admin admin() throws IOException {
    if (admin == null) {
      admin = connection().getAdmin();
    }
    return admin;
  }

  public DistributedFileSystem files() throws IOException {
    if (files == null) {
      files = (DistributedFileSystem) FileSystem.newInstance(configuration);
    }
    return files;
  }

  /** Waits for a condition; a failure names the awaited state of the RegionServer. */
  public void await(String awaited, CallableRaisingIOE<Boolean> condition) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.apply()) {
      if (System.nanoTime() > deadline) {
        String name = regionServer().name();
        throw new IOException(
            name + " does not " + awaited + "; its log is " + regionServer().log());
      }
      Pause.millis(100);
    }
  }

  /** Returns a counter; waits like {@link #attribute}. */
  public long counter(String bean, String name) throws IOException {
    return Long.parseLong(attribute(bean, name));
  }

  /**
   * Returns an attribute that the RegionServer has. It waits, because HBase removes all its beans
   * for half a second a few seconds after a region was opened.
   */
  private String attribute(String bean, String name) throws IOException {
    AtomicReference<String> value = new AtomicReference<>();
    await(
        "show " + name,
        () -> {
          value.set(regionServer().jmxAttribute(bean, name).orElse(null));
          return value.get() != null;
        });
    return value.get();
  }

  /**
   * Reads the RegionServer's counters. They are current if no request came in the last second,
   * because Metrics2 keeps its values for a second.
   */
  Window.Counters counters() throws IOException {
    long pointReads = counter(SERVER + "IO", "FsPReadTime_num_ops");
    return new Window.Counters(
        counter(SERVER + "Server", "l2CacheHitCount"),
        pointReads + counter(SERVER + "IO", "FsReadTime_num_ops"),
        pointReads,
        ofProcess("io", "read_bytes:"));
  }

  /** Returns the number in a line of the kernel's file about the RegionServer's process. */
  long ofProcess(String file, String name) throws IOException {
    Path path = Path.of("/proc", Long.toString(regionServer().pid()), file);
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /** Waits until the RegionServer shows the regions of one table and not those of others. */
  public void awaitObserved(DataTable table, List<DataTable> others) throws IOException {
    await(
        "observe " + table.name() + " alone",
        () -> {
          String shown = observed();
          return shown.contains(quoted(table))
              && others.stream().map(Cluster::quoted).noneMatch(shown::contains);
        });
  }

  private static String quoted(DataTable table) {
    return '"' + table.name().getNameAsString() + '"';
  }

  final String observed() throws IOException {
    String json = regionServer().jmx(SERVER + "FastpathRegions");
    return json.contains("tag.") ? json : "";
  }

  /** Returns words on the provider of CRC32C of a RegionServer with our checksums. */
  public String provider() throws IOException {
    String name = attribute(SERVER + "Checksum", "tag.crc32cProvider");
    return "; CRC32C is computed by provider " + name;
  }

  /** Returns the blocks that the RegionServer has read from HDFS, up to a second old. */
  public long blockReads() throws IOException {
    return counters().blockReads();
  }

  @Override
  public void close() throws IOException {
    try (cluster;
        Closeable first = connection;
        Closeable second = admin;
        Closeable third = files) {
      // The try statement only closes the clients.
    }
  }
}
