package org.fastpath.bench.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Table;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.FileWrites;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.StoreFiles;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Usage;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.workloads.caches.BlockCaches;
import org.fastpath.bench.workloads.hdfs.CachedFile;
import org.fastpath.bench.workloads.hdfs.Preads;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.FreeMemory;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;

/**
 * One of the two clusters of the demo. Both run during the whole demo. Each has a table of cached
 * rows and new tables for compactions.
 */
final class DemoCluster implements AutoCloseable {
  static final List<Figure<Lines>> READS =
      List.of(
          Figure.low("client CPU", "µs", lines -> lines.median("preads.cpu")),
          Figure.low("time", "µs", lines -> lines.median("preads.time")));

  static final List<Figure<FileWrites>> WRITES = List.of(FileWrites.P99, FileWrites.RATE);

  static final List<Figure<Usage>> COMPACTION =
      List.of(
          Figure.low("RegionServer CPU", "s", Usage::cpuSeconds),
          Figure.low("DataNode CPU", "s", Usage::dataNodeSeconds));

  static final List<Figure<Lines>> MEMORY =
      List.of(
          Figure.low("heap per block", "B", lines -> lines.median("block-cache.heap.read")),
          Figure.low("waste per block", "B", DemoCluster::wastePerBlock));

  private static final int HEAP_MEGABYTES = 768;
  private static final String[] DISKS = {"[DISK]", "[DISK]", "[DISK]"};
  private static final int FILE_MEGABYTES = 64;
  private static final int BLOCK_MEGABYTES = 16;

  /** The kept files, the files that compactions wrote before, until their deletion, and more. */
  private static final int FILES_IN_MEMORY = 5;

  private static final int WRITTEN_BYTES = 256 << 10;
  private static final VolumeSpeed HEALTHY = VolumeSpeed.unlimited();
  private static final VolumeSpeed SLOW = VolumeSpeed.bytesPerSecond(4 << 20);

  final String name;
  final boolean ours;
  final Cluster cluster;
  DataTable table;
  private final DataTable.Shape shape;
  DataTable large;
  private StoreFiles files;

  /** The table that has the kept files now. */
  private DataTable copy;

  /** Whether that table has not been compacted. */
  boolean isNew;

  private CachedFile cached;

  DemoCluster(Run run, String name, boolean ours, DataTable.Shape shape) {
    this.name = name;
    this.ours = ours;
    this.shape = shape;
    boolean sockets = run.directory().hasRoomForSockets();
    Path cacheFile = run.directory().cluster().resolve("cache-of-" + table());
    cluster =
        new Cluster(run, name, builder -> set(builder.shortCircuit(sockets), sockets, cacheFile));
  }

  /** Describes the side in the results. */
  void describe(Run run) throws IOException {
    boolean sockets = run.directory().hasRoomForSockets();
    String modules = sockets ? "every module" : "every module but zero-copy";
    String size = " of " + cacheMegabytes() + " MB";
    String words =
        ours
            ? modules + " and inline reads, cache" + size + cluster.provider()
            : "HBase and HDFS as published, BucketCache" + size;
    run.results().describe(name, words);
  }

  /** Loads the table whose blocks are cached. */
  void load(Run run) throws IOException {
    table = DataTable.compacted(cluster, table(), shape, run);
    fill();
  }

  /** Returns a table's name that tells the side in the progress. */
  private String table() {
    return name.replace(' ', '-');
  }

  /** Returns the configuration of RegionServer and DataNode in their files. */
  SortedMap<String, String> settings() {
    Configuration files = new Configuration(false);
    for (Daemon daemon : List.of(cluster.regionServer(), cluster.dataNode())) {
      URI file = daemon.confDir().resolve("hbase-site.xml").toUri();
      files.addResource(new org.apache.hadoop.fs.Path(file));
    }
    SortedMap<String, String> settings = new TreeMap<>();
    files.forEach(entry -> settings.put(entry.getKey(), entry.getValue()));
    return settings;
  }

  /** Reads all rows of the table, so its blocks are cached. */
  void fill() throws IOException {
    try (Table open = cluster.connection().getTable(table.name())) {
      new Requests(shape, 0).fill(open, Demo.SCAN_ROWS);
    }
  }

  /** Loads the table that is larger than the cache. */
  void loadLarge(Run run, DataTable.Shape rows) throws IOException {
    large = DataTable.loaded(cluster, table() + "-large", rows, run);
  }

  /**
   * Drops that table and keeps its store files, which compactions rewrite. Splits memory for these
   * files and for those that compactions write.
   */
  void keepFiles(Run run, int megabytes) throws IOException {
    files = new StoreFiles(cluster, large);
    Path holes = run.directory().cluster().resolve("holes-of-" + table());
    try {
      FreeMemory.split(holes, FILES_IN_MEMORY * megabytes);
    } catch (IOException e) {
      run.console().line("memory is not split, so figures vary more: " + e.getMessage());
    }
  }

  /** Puts the kept files into a new table. */
  void renew() throws IOException {
    if (copy != null) {
      takeBack();
    }
    copy = files.newTable();
    isNew = true;
  }

  /** Drops the table that has the kept files. */
  void takeBack() throws IOException {
    files.takeBack(copy);
  }

  /**
   * Returns the size for the table's blocks, its new blocks, and the cache's reserve. By default it
   * is a third of the large table.
   */
  private int cacheMegabytes() {
    return (int) (2.5 * shape.rows() * shape.rowBytes() / (1 << 20)) + 64;
  }

  private void set(ClusterBuilder builder, boolean sockets, Path cacheFile) {
    int cache = cacheMegabytes();
    String[] flags = Testbed.memory(HEAP_MEGABYTES, cache).toArray(String[]::new);
    Cluster.QUIET.forEach(builder::conf);
    Testbed.UNDISTURBED.forEach(builder::conf);
    builder.volumes(DISKS).slowVolume(0, HEALTHY).quickClose();
    builder.daemon(Role.REGIONSERVER, options -> options.jvmFlags(flags));
    long locked = CachedFile.lockedBytes(FILE_MEGABYTES);
    if (ours) {
      // Reads of locked memory need a socket.
      Set<Modules> modules = EnumSet.copyOf(Modules.ALL);
      modules.removeIf(module -> module == Modules.ZCR && !sockets);
      // Pinned files leave the cached file its half.
      Cluster.modules(builder, modules, cache, 2 * locked);
      builder.conf("hbase.fastpath.offheap-cache.file", cacheFile.toString());
      builder.conf("hbase.fastpath.warm-up.seconds", "8");
      // By default, pins follow the reads after minutes, so chance decides in a short run.
      builder.conf("hbase.fastpath.hdfs-cache.interval-seconds", "5");
      builder.conf("hbase.fastpath.hdfs-cache.half-life-seconds", "5");
    } else {
      Cluster.bucketCache(builder, cache);
      builder.lockedMemory(locked);
    }
  }

  /** Runs a major compaction of the new table. */
  Usage compact() throws IOException {
    isNew = false;
    return Usage.of(cluster, () -> copy.majorCompact());
  }

  /** Counts the memory of a cache like this side's. */
  Lines countMemory(Run run) throws IOException {
    CacheVariant cache = ours ? CacheVariant.OURS : CacheVariant.BUCKET_CACHE;
    return BlockCaches.count(run, cache, Console.silent().step("", ""));
  }

  /** Returns the bytes without a block for each cached block. */
  static double wastePerBlock(Lines lines) {
    double wasted = lines.median("block-cache.wasted") / 100;
    return lines.median("block-cache.wasted.block") * wasted / (1 - wasted);
  }

  /** Writes a file into the DataNode's memory. */
  void writeCachedFile(Run run) throws IOException {
    cached = new CachedFile(run, cluster, FILE_MEGABYTES, BLOCK_MEGABYTES);
  }

  /** Reads that file by an HDFS client in a new process. */
  Lines readCachedFile(int millis) throws IOException {
    return Preads.read(cached, BLOCK_MEGABYTES, ours, millis, Console.silent().step("", ""));
  }

  /** Makes one of the DataNode's disks slow, or as fast as before. */
  void slowDisk(boolean slow) {
    cluster.dataNode().slowVolume(0, slow ? SLOW : HEALTHY);
  }

  /** Lets four clients write files for some time. */
  FileWrites writeFiles(int millis) throws IOException {
    var directory = new org.apache.hadoop.fs.Path("/writes");
    FileWrites writes =
        new FileWrites.Load(cluster.files(), directory, 4, WRITTEN_BYTES)
            .during(0, millis, () -> {});
    cluster.files().delete(directory, true);
    return writes;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
