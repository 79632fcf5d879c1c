package org.fastpath.bench.engine.cluster;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Params;
import org.fastpath.cluster.DaemonOptions;

/**
 * One variant of a comparison: which RegionServer and which DataNode do the work. ZooKeeper,
 * NameNode and HMaster are stock on every variant, because they do not process the data.
 *
 * @param hbaseNative whether the RegionServer finds libhadoop
 * @param hdfsNative whether the DataNode finds libhadoop
 * @param jars file names of our jars that are before both class paths
 * @param conf additional configuration of the RegionServer
 */
public record Variant(
    String id,
    String description,
    boolean hbaseNative,
    boolean hdfsNative,
    List<String> jars,
    Map<String, String> conf,
    Map<String, String> environment) {
  /** The key of the off-heap reader, for a server's or a table's configuration. */
  public static final String READER = "hbase.fastpath.offheap-reader.enabled";

  private static final String REGIONSERVER = "org.apache.hadoop.hbase.regionserver.";
  static final String METERED = REGIONSERVER + "MeteredRegion";
  private static final String REGION = "hbase.hregion.impl";
  static final String OFF_HEAP_CACHE = REGIONSERVER + "OffHeapCacheRegionServer";
  private static final String MAPPED_BLOCKS = "org.fastpath.zcr.hbase.MappedBlocks";
  private static final String REGION_COPROCESSORS = "hbase.coprocessor.user.region.classes";
  private static final String SERVER_COPROCESSORS = "hbase.coprocessor.regionserver.classes";
  private static final String PINNING = "hbase.fastpath.hdfs-cache.";

  /** Makes glibc request huge pages for all memory that it gets from the kernel. */
  static final Map<String, String> HUGE_PAGES = Map.of("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

  /** A production system of today: the published jars with Hadoop's native library. */
  public static final Variant STOCK =
      stock("stock", "HBase and HDFS as published, libhadoop loaded", true, true);

  public static Variant stock(
      String id, String description, boolean hbaseNative, boolean hdfsNative) {
    return new Variant(id, description, hbaseNative, hdfsNative, List.of(), Map.of(), Map.of());
  }

  public static Variant bucketCache(int megabytes) {
    return stock("bucket-cache", "HBase as published", true, true)
        .with("BucketCache of " + megabytes + " MB")
        .conf("hbase.bucketcache.ioengine", "offheap")
        .conf("hbase.bucketcache.size", megabytes);
  }

  /** Returns the same with our block cache in its place, and no other feature of ours. */
  public static Variant offHeapCache(int megabytes) {
    return stock("ours", "the same", true, true)
        .with("our block cache of " + megabytes + " MB", Layout.OFF_HEAP_JAR)
        .conf("hbase.regionserver.impl", OFF_HEAP_CACHE)
        .conf("hbase.fastpath.offheap-cache.size", megabytes + "m");
  }

  /** Returns blocks from the DataNode's locked memory, without a second-level cache. */
  public static Variant mappedBlocks() {
    String words = "blocks in the DataNode's memory, and no second-level cache";
    return stock("ours", "HBase as published", true, true)
        .with(words, Layout.METRICS_JAR, Layout.ZCR_JAR, Layout.OFF_HEAP_JAR)
        .conf("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem")
        .conf("hbase.hstore.engine.class", REGIONSERVER + "OffHeapReaderStoreEngine")
        .conf(REGION, REGIONSERVER + "OffHeapReadRegion")
        .conf(REGION_COPROCESSORS, MAPPED_BLOCKS);
  }

  /** Returns the same, with a RegionServer that warms up before it serves. */
  public static Variant warmedMappedBlocks() {
    return mappedBlocks()
        .as("ours-warmed")
        .with("warmed up before it is on duty")
        .conf(SERVER_COPROCESSORS, "org.fastpath.zcr.warmup.ReadWarmUp");
  }

  /**
   * Returns blocks from the DataNode's memory, in which the RegionServer pins the most read ones.
   * Half of the limit is for outputs of compactions.
   */
  public static Variant pinnedBlocks(int limitMegabytes, int intervalSeconds, int halfLifeSeconds) {
    String observer = MAPPED_BLOCKS + ",org.fastpath.zcr.pin.CompactionPinObserver";
    return mappedBlocks()
        .with("which has " + limitMegabytes + " MB for what is read most")
        .conf(SERVER_COPROCESSORS, "org.fastpath.zcr.pin.CachePinning")
        .conf(REGION_COPROCESSORS, observer)
        .conf(PINNING + "limit", limitMegabytes + "m")
        .conf(PINNING + "reserve", 0.5)
        .conf(PINNING + "interval-seconds", intervalSeconds)
        .conf(PINNING + "half-life-seconds", halfLifeSeconds);
  }

  public Variant withReader() {
    return with("the off-heap reader").conf(READER, true);
  }

  public Variant withRegionMetrics() {
    return with("counts and latencies of every region", Layout.METRICS_JAR).conf(REGION, METERED);
  }

  /** Returns this variant with more words in its description, and more of our jars. */
  public Variant with(String words, String... moreJars) {
    Set<String> all = new LinkedHashSet<>(jars);
    all.addAll(List.of(moreJars));
    String text = description + ", " + words;
    return new Variant(id, text, hbaseNative, hdfsNative, List.copyOf(all), conf, environment);
  }

  public Variant conf(String key, Object value) {
    Params all = new Params();
    all.putAll(conf);
    all.with(key, value);
    return new Variant(id, description, hbaseNative, hdfsNative, jars, all, environment);
  }

  public Variant as(String other) {
    return new Variant(other, description, hbaseNative, hdfsNative, jars, conf, environment);
  }

  /** Returns this variant with huge pages for the RegionServer's off-heap memory. */
  public Variant withHugePages() {
    String words = description + ", in huge pages";
    return new Variant(id + "-huge", words, hbaseNative, hdfsNative, jars, conf, HUGE_PAGES);
  }

  /** Returns whether the other variant's processes start in the same way. */
  boolean sameServers(Variant other) {
    return new Variant(
            other.id, other.description, hbaseNative, hdfsNative, jars, conf, environment)
        .equals(other);
  }

  public boolean pinsFiles() {
    return conf.keySet().stream().anyMatch(key -> key.startsWith(PINNING));
  }

  Consumer<DaemonOptions> regionServer(Layout layout) {
    return options -> {
      apply(options, hbaseNative, layout);
      options.conf(conf).environment(environment);
    };
  }

  Consumer<DaemonOptions> dataNode(Layout layout) {
    return options -> apply(options, hdfsNative, layout);
  }

  private void apply(DaemonOptions options, boolean libhadoop, Layout layout) {
    options.libhadoop(libhadoop);
    options.prependToClasspath(jars.stream().map(layout::jar).toList());
  }
}
