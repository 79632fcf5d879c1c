package org.fastpath.bench.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.fastpath.bench.Layout;
import org.fastpath.cluster.DaemonOptions;

/**
 * One side of a comparison: which RegionServer and which DataNode do the work. ZooKeeper, NameNode
 * and HMaster are stock on every side; none of them sees the data.
 *
 * @param id the name on the command line, in results and in the report
 * @param description what it is, for the report
 * @param hbaseNative whether the RegionServer finds libhadoop
 * @param hdfsNative whether the DataNode finds libhadoop
 * @param jars those of our jars that are in front of both class paths, by file name
 * @param regionServerConf what the RegionServer is configured with besides
 * @param environment the variables that the RegionServer's environment has besides
 */
public record Side(
    String id,
    String description,
    boolean hbaseNative,
    boolean hdfsNative,
    List<String> jars,
    Map<String, String> regionServerConf,
    Map<String, String> environment) {

  /** What counts and times operations per region. */
  private static final String METERED = "org.apache.hadoop.hbase.regionserver.MeteredRegion";

  private static final String SERVER_CLASS = "hbase.regionserver.impl";

  /** A RegionServer with our block cache. */
  private static final String OFF_HEAP_CACHE =
      "org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer";

  /** Makes blocks of what the DataNode holds in locked memory. */
  private static final String MAPPED_BLOCKS = "org.fastpath.zcr.hbase.MappedBlocks";

  private static final String PINNING = "hbase.fastpath.hdfs-cache.";

  /** Has glibc ask for huge pages for all memory that it gets from the kernel. */
  private static final Map<String, String> HUGE_PAGES =
      Map.of("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

  /** In the server's configuration: whether there is an off-heap reader. In a table's: its own. */
  static final String READER = "hbase.fastpath.offheap-reader.enabled";

  private static final List<String> STOCK_JARS = List.of();
  private static final List<String> METRICS_JARS = List.of(Layout.METRICS_JAR);
  private static final List<String> ALL_JARS = List.of(Layout.CHECKSUM_JAR, Layout.METRICS_JAR);
  private static final Map<String, String> DEFAULTS = Map.of();
  private static final Map<String, String> OBSERVED = Map.of("hbase.hregion.impl", METERED);

  /** The four sides of HBASE-11927's story, ours being the fourth. */
  public static final List<Side> STORY =
      List.of(
          new Side(
              "A",
              "stock, libhadoop neither in HBase nor in HDFS",
              false,
              false,
              STOCK_JARS,
              DEFAULTS),
          new Side("B", "stock, libhadoop in HDFS only", false, true, STOCK_JARS, DEFAULTS),
          new Side(
              "C", "stock, libhadoop in both HBase and HDFS", true, true, STOCK_JARS, DEFAULTS),
          new Side(
              "D",
              "our jars in front in HBase and HDFS, libhadoop in both",
              true,
              true,
              ALL_JARS,
              DEFAULTS));

  /** What an operator runs today: the published jars with Hadoop's native library. */
  public static final Side STOCK =
      new Side(
          "stock",
          "HBase and HDFS as published, libhadoop loaded",
          true,
          true,
          STOCK_JARS,
          DEFAULTS);

  /** The same with our jars in front and everything on. */
  public static final Side OURS =
      new Side(
          "ours",
          "the same with our jars in front of the class paths and latencies per region",
          true,
          true,
          ALL_JARS,
          OBSERVED);

  /** Stock, as the side of the metrics experiment that has none of ours. */
  static final Side METRICS_OFF =
      new Side("off", "HBase as published", true, true, STOCK_JARS, DEFAULTS);

  /** Latencies of all regions. */
  static final Side METRICS_ON =
      new Side(
          "on",
          "the metrics jar in front, counts and latencies of every region",
          true,
          true,
          METRICS_JARS,
          OBSERVED);

  /** Stock once more: what differs from {@link #METRICS_OFF} is chance. */
  static final Side METRICS_CONTROL =
      new Side("control", "HBase as published, once more", true, true, STOCK_JARS, DEFAULTS);

  Side(
      String id,
      String description,
      boolean hbaseNative,
      boolean hdfsNative,
      List<String> jars,
      Map<String, String> regionServerConf) {
    this(id, description, hbaseNative, hdfsNative, jars, regionServerConf, Map.of());
  }

  /** HBase as published with its own block cache off the heap, of this size. */
  static Side bucketCache(int megabytes) {
    return new Side("bucket-cache", "HBase as published", true, true, STOCK_JARS, DEFAULTS)
        .withBucketCache(megabytes);
  }

  /** The same with our block cache in its place, and nothing else of ours. */
  static Side offHeapCache(int megabytes) {
    return new Side("ours", "the same", true, true, STOCK_JARS, DEFAULTS)
        .withOffHeapCache(megabytes);
  }

  /** Our block cache of this size, with indexes for the off-heap reader, which tables choose. */
  static Side offHeapReader(int megabytes) {
    Side cached = offHeapCache(megabytes);
    return cached.with("the off-heap reader", List.of(), Map.of(READER, "true"));
  }

  /** Blocks read out of the DataNode's locked memory, without a second-level cache. */
  static Side mappedBlocks() {
    return new Side("ours", "HBase as published", true, true, STOCK_JARS, DEFAULTS)
        .with(
            "blocks in the DataNode's memory, and no second-level cache",
            List.of(Layout.METRICS_JAR, Layout.ZCR_JAR),
            Map.of(
                "fs.hdfs.impl",
                "org.fastpath.zcr.ZeroCopyFileSystem",
                "hbase.coprocessor.user.region.classes",
                MAPPED_BLOCKS));
  }

  /** The same, by a RegionServer that reads by itself before it is on duty. */
  static Side warmedMappedBlocks() {
    return mappedBlocks()
        .as("ours-warmed")
        .with(
            "warmed up before it is on duty",
            STOCK_JARS,
            Map.of("hbase.coprocessor.regionserver.classes", "org.fastpath.zcr.warmup.ReadWarmUp"));
  }

  /**
   * Blocks out of the DataNode's memory, into which the RegionServer brings what is read most.
   *
   * @param limitMegabytes what it may have of that memory, half of which is for outputs of
   *     compactions
   * @param intervalSeconds how often it looks at what is read
   * @param halfLifeSeconds after which half of it is forgotten
   */
  static Side pinnedBlocks(int limitMegabytes, int intervalSeconds, int halfLifeSeconds) {
    return mappedBlocks()
        .with(
            "which has " + limitMegabytes + " MB for what is read most",
            STOCK_JARS,
            Map.of(
                "hbase.coprocessor.regionserver.classes",
                "org.fastpath.zcr.pin.CachePinning",
                "hbase.coprocessor.user.region.classes",
                MAPPED_BLOCKS + ",org.fastpath.zcr.pin.CompactionPinObserver",
                PINNING + "limit",
                limitMegabytes + "m",
                PINNING + "reserve",
                "0.5",
                PINNING + "interval-seconds",
                Integer.toString(intervalSeconds),
                PINNING + "half-life-seconds",
                Integer.toString(halfLifeSeconds)));
  }

  /** This side with HBase's own block cache off the heap, of this size. */
  public Side withBucketCache(int megabytes) {
    return with(
        "BucketCache of " + megabytes + " MB",
        STOCK_JARS,
        Map.of(
            "hbase.bucketcache.ioengine",
            "offheap",
            "hbase.bucketcache.size",
            Integer.toString(megabytes)));
  }

  /** This side with our block cache off the heap, for as many bytes of blocks. */
  public Side withOffHeapCache(int megabytes) {
    return with(
        "our block cache of " + megabytes + " MB",
        List.of(Layout.OFF_HEAP_JAR),
        Map.of(SERVER_CLASS, OFF_HEAP_CACHE, "hbase.fastpath.offheap-cache.size", megabytes + "m"));
  }

  private Side with(String words, List<String> moreJars, Map<String, String> moreConf) {
    List<String> allJars = new ArrayList<>(jars);
    allJars.addAll(moreJars);
    Map<String, String> allConf = new LinkedHashMap<>(regionServerConf);
    allConf.putAll(moreConf);
    return new Side(
        id, description + ", " + words, hbaseNative, hdfsNative, allJars, allConf, environment);
  }

  private Side as(String otherId) {
    return new Side(
        otherId, description, hbaseNative, hdfsNative, jars, regionServerConf, environment);
  }

  /** This side as another one, whose RegionServer has huge pages for what is off the heap. */
  Side withHugePages() {
    return new Side(
        id + "-huge",
        description + ", in huge pages",
        hbaseNative,
        hdfsNative,
        jars,
        regionServerConf,
        HUGE_PAGES);
  }

  /** Whether memory off the heap is in huge pages. */
  boolean hugePages() {
    return environment.equals(HUGE_PAGES);
  }

  /** Whether the other side's processes are started in the same way. */
  boolean sameServers(Side other) {
    return hbaseNative == other.hbaseNative
        && hdfsNative == other.hdfsNative
        && jars.equals(other.jars)
        && regionServerConf.equals(other.regionServerConf)
        && environment.equals(other.environment);
  }

  /** Whether the checksums are ours. */
  boolean computesChecksums() {
    return jars.contains(Layout.CHECKSUM_JAR);
  }

  /** Whether all regions have metrics of ours. */
  boolean observesRegions() {
    return regionServerConf.containsValue(METERED);
  }

  /** Whether the second-level block cache is ours. */
  boolean cachesBlocks() {
    return regionServerConf.containsValue(OFF_HEAP_CACHE);
  }

  /** Whether the RegionServer says what DataNodes keep in memory. */
  boolean pinsFiles() {
    return regionServerConf.keySet().stream().anyMatch(key -> key.startsWith(PINNING));
  }

  /** What the RegionServer is started with. */
  Consumer<DaemonOptions> regionServer(Layout layout) {
    return options -> {
      apply(options, hbaseNative, layout);
      options.conf(regionServerConf);
      options.environment(environment);
    };
  }

  /** What the DataNode is started with. */
  Consumer<DaemonOptions> dataNode(Layout layout) {
    return options -> apply(options, hdfsNative, layout);
  }

  private void apply(DaemonOptions options, boolean libhadoop, Layout layout) {
    options.libhadoop(libhadoop);
    options.prependToClasspath(paths(layout));
  }

  private List<Path> paths(Layout layout) {
    return jars.stream().map(layout::jar).toList();
  }
}
