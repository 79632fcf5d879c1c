package org.fastpath.bench.engine.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.fastpath.bench.engine.Layout;
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
 * @param conf what the RegionServer is configured with besides
 * @param environment the variables that the RegionServer's environment has besides
 */
public record Side(
    String id,
    String description,
    boolean hbaseNative,
    boolean hdfsNative,
    List<String> jars,
    Map<String, String> conf,
    Map<String, String> environment) {
  /** In the server's configuration: whether there is an off-heap reader. In a table's: its own. */
  public static final String READER = "hbase.fastpath.offheap-reader.enabled";

  /** What counts and times operations per region. */
  private static final String METERED = "org.apache.hadoop.hbase.regionserver.MeteredRegion";

  private static final String OFF_HEAP_CACHE =
      "org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer";
  private static final String MAPPED_BLOCKS = "org.fastpath.zcr.hbase.MappedBlocks";
  private static final String REGION_COPROCESSORS = "hbase.coprocessor.user.region.classes";
  private static final String SERVER_COPROCESSORS = "hbase.coprocessor.regionserver.classes";
  private static final String PINNING = "hbase.fastpath.hdfs-cache.";

  /** Has glibc ask for huge pages for all memory that it gets from the kernel. */
  private static final Map<String, String> HUGE_PAGES =
      Map.of("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

  /** What an operator runs today: the published jars with Hadoop's native library. */
  public static final Side STOCK =
      stock("stock", "HBase and HDFS as published, libhadoop loaded", true, true);

  /** The same with checksums and metrics of ours, and latencies of every region. */
  public static final Side OURS =
      STOCK
          .as("ours")
          .with("our checksums", List.of(Layout.CHECKSUM_JAR), Map.of())
          .withRegionMetrics();

  /** A side without anything of ours. */
  public static Side stock(String id, String description, boolean hbaseNative, boolean hdfsNative) {
    return new Side(id, description, hbaseNative, hdfsNative, List.of(), Map.of(), Map.of());
  }

  /** HBase as published with its own block cache off the heap, of this size. */
  public static Side bucketCache(int megabytes) {
    return stock("bucket-cache", "HBase as published", true, true).withBucketCache(megabytes);
  }

  /** The same with our block cache in its place, and nothing else of ours. */
  public static Side offHeapCache(int megabytes) {
    return stock("ours", "the same", true, true).withOffHeapCache(megabytes);
  }

  /** Our block cache of this size, with indexes for the off-heap reader, which tables choose. */
  public static Side offHeapReader(int megabytes) {
    return offHeapCache(megabytes).with("the off-heap reader", List.of(), Map.of(READER, "true"));
  }

  /** Blocks read out of the DataNode's locked memory, without a second-level cache. */
  public static Side mappedBlocks() {
    return stock("ours", "HBase as published", true, true)
        .with(
            "blocks in the DataNode's memory, and no second-level cache",
            List.of(Layout.METRICS_JAR, Layout.ZCR_JAR, Layout.OFF_HEAP_JAR),
            Map.of(
                "fs.hdfs.impl",
                "org.fastpath.zcr.ZeroCopyFileSystem",
                "hbase.hstore.engine.class",
                "org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine",
                "hbase.hregion.impl",
                "org.apache.hadoop.hbase.regionserver.OffHeapReadRegion",
                REGION_COPROCESSORS,
                MAPPED_BLOCKS));
  }

  /** The same, by a RegionServer that reads by itself before it is on duty. */
  public static Side warmedMappedBlocks() {
    return mappedBlocks()
        .as("ours-warmed")
        .with(
            "warmed up before it is on duty",
            List.of(),
            Map.of(SERVER_COPROCESSORS, "org.fastpath.zcr.warmup.ReadWarmUp"));
  }

  /**
   * Blocks out of the DataNode's memory, into which the RegionServer brings what is read most.
   *
   * @param limitMegabytes what it may have of that memory, half of which is for outputs of
   *     compactions
   * @param intervalSeconds how often it looks at what is read
   * @param halfLifeSeconds after which half of it is forgotten
   */
  public static Side pinnedBlocks(int limitMegabytes, int intervalSeconds, int halfLifeSeconds) {
    return mappedBlocks()
        .with(
            "which has " + limitMegabytes + " MB for what is read most",
            List.of(),
            Map.of(
                SERVER_COPROCESSORS,
                "org.fastpath.zcr.pin.CachePinning",
                REGION_COPROCESSORS,
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
        List.of(),
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
        Map.of(
            "hbase.regionserver.impl",
            OFF_HEAP_CACHE,
            "hbase.fastpath.offheap-cache.size",
            megabytes + "m"));
  }

  /** This side with counts and latencies of every region. */
  public Side withRegionMetrics() {
    return with(
        "counts and latencies of every region",
        List.of(Layout.METRICS_JAR),
        Map.of("hbase.hregion.impl", METERED));
  }

  /** This side with something more. */
  public Side with(String words, List<String> moreJars, Map<String, String> moreConf) {
    List<String> allJars = new ArrayList<>(jars);
    moreJars.stream().filter(jar -> !jars.contains(jar)).forEach(allJars::add);
    Map<String, String> allConf = new LinkedHashMap<>(conf);
    allConf.putAll(moreConf);
    String all = description + ", " + words;
    return new Side(id, all, hbaseNative, hdfsNative, allJars, allConf, environment);
  }

  /** The same by another name. */
  public Side as(String other) {
    return new Side(other, description, hbaseNative, hdfsNative, jars, conf, environment);
  }

  /** This side as another one, whose RegionServer has huge pages for what is off the heap. */
  public Side withHugePages() {
    String words = description + ", in huge pages";
    return new Side(id + "-huge", words, hbaseNative, hdfsNative, jars, conf, HUGE_PAGES);
  }

  /** Whether memory off the heap is in huge pages. */
  boolean hugePages() {
    return environment.equals(HUGE_PAGES);
  }

  /** Whether the other side's processes are started in the same way. */
  boolean sameServers(Side other) {
    return equals(
        new Side(
            id,
            description,
            other.hbaseNative,
            other.hdfsNative,
            other.jars,
            other.conf,
            other.environment));
  }

  /** Whether the checksums are ours. */
  boolean computesChecksums() {
    return jars.contains(Layout.CHECKSUM_JAR);
  }

  /** Whether all regions have metrics of ours. */
  boolean observesRegions() {
    return conf.containsValue(METERED);
  }

  /** Whether the second-level block cache is ours. */
  boolean cachesBlocks() {
    return conf.containsValue(OFF_HEAP_CACHE);
  }

  /** Whether the RegionServer says what DataNodes keep in memory. */
  public boolean pinsFiles() {
    return conf.keySet().stream().anyMatch(key -> key.startsWith(PINNING));
  }

  /** What the RegionServer is started with. */
  Consumer<DaemonOptions> regionServer(Layout layout) {
    return options -> {
      apply(options, hbaseNative, layout);
      options.conf(conf);
      options.environment(environment);
    };
  }

  /** What the DataNode is started with. */
  Consumer<DaemonOptions> dataNode(Layout layout) {
    return options -> apply(options, hdfsNative, layout);
  }

  private void apply(DaemonOptions options, boolean libhadoop, Layout layout) {
    options.libhadoop(libhadoop);
    options.prependToClasspath(jars.stream().map(layout::jar).toList());
  }
}
