package org.fastpath.regionserver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the keys of our features in the configuration of a RegionServer before its start.
 *
 * <p>An operator names one class and sizes. The jars on the class path and {@link ServerModule#KEY}
 * decide everything else. Our coprocessors are appended to existing lists. A key of one class gets
 * ours only if no other class is set. Otherwise the feature stands aside, with one line in the log.
 */
final class ServerKeys {
  static final String REGION_IMPL = "hbase.hregion.impl";
  static final String FILE_SYSTEM = "fs.hdfs.impl";
  static final String READER_ENABLED = "hbase.fastpath.offheap-reader.enabled";
  static final String ALL_REGIONS = "hbase.coprocessor.region.classes";
  static final String USER_REGIONS = "hbase.coprocessor.user.region.classes";
  static final String SERVERS = "hbase.coprocessor.regionserver.classes";
  static final String BUCKET_CACHE = "hbase.bucketcache.ioengine";
  static final String EXTERNAL_CACHE = "hbase.blockcache.use.external";

  private static final Logger LOG = LoggerFactory.getLogger(ServerKeys.class);
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";
  private static final String HDFS = "org.apache.hadoop.hdfs.DistributedFileSystem";
  private static final String ZCR = "org.fastpath.zcr.";
  private static final String ZERO_COPY = ZCR + "ZeroCopyFileSystem";
  private static final String TIERS = "org.fastpath.tiered.regionserver.";
  private static final Set<String> METERED =
      Set.of(REGIONS + "MeteredRegion", REGIONS + "OffHeapReadMeteredRegion");
  private static final String OBSERVER = "org.fastpath.metrics.region.RegionMetricsObserver";

  private final Configuration conf;
  private final Set<ServerModule> on = new LinkedHashSet<>();

  private ServerKeys(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Sets the keys.
   *
   * @return the modules whose features of a RegionServer are switched on
   * @throws IllegalArgumentException if {@link ServerModule#KEY} is wrong
   */
  static Set<ServerModule> prepare(Configuration conf) {
    return prepare(conf, ServerModule::isThere);
  }

  static Set<ServerModule> prepare(Configuration conf, Predicate<ServerModule> there) {
    ServerKeys keys = new ServerKeys(conf);
    Set<ServerModule> wanted = ServerModule.of(conf);
    for (ServerModule module : ServerModule.values()) {
      if (!wanted.contains(module)) {
        module.publishOff(ServerModule.KEY + " leaves " + module.label() + " out");
      } else if (!there.test(module)) {
        module.publishAbsent();
      } else {
        keys.switchOn(module);
      }
    }
    LOG.info("Modules that are on: {}", keys.on.stream().map(ServerModule::label).toList());
    return keys.on;
  }

  private void switchOn(ServerModule module) {
    switch (module) {
      case METRICS -> meterRegions();
      case CACHE, READER -> cacheBlocks(module);
      case ZCR -> mapReplicas();
      case TIERS -> placeFiles();
      // The order of the class path switches these on, or keys of DataNodes.
      case CHECKSUM, VOLUMES -> on.add(module);
    }
  }

  /**
   * Switches on the metrics of regions. If another class of regions is set, a coprocessor does the
   * work.
   */
  private void meterRegions() {
    String region = conf.getTrimmed(REGION_IMPL, "");
    if (region.isEmpty() || region.equals(REGIONS + "HRegion")) {
      conf.set(REGION_IMPL, REGIONS + "MeteredRegion");
    } else if (region.equals(REGIONS + "OffHeapReadRegion")) {
      conf.set(REGION_IMPL, REGIONS + "OffHeapReadMeteredRegion");
    } else if (!METERED.contains(region)) {
      LOG.info("{} is {}: a coprocessor times requests instead", REGION_IMPL, region);
      append(ALL_REGIONS, OBSERVER);
    }
    on.add(ServerModule.METRICS);
  }

  /**
   * Switches on the cache and the reader. The reader's own code derives the classes of engine and
   * region.
   */
  private void cacheBlocks(ServerModule module) {
    String engine = conf.getTrimmed(BUCKET_CACHE, "");
    if (!engine.isEmpty()) {
      standAside(module, BUCKET_CACHE, engine);
    } else if (conf.getBoolean(EXTERNAL_CACHE, false)) {
      standAside(module, EXTERNAL_CACHE, "true");
    } else {
      if (module == ServerModule.READER) {
        conf.setIfUnset(READER_ENABLED, "true");
      }
      on.add(module);
    }
  }

  /** Switches on zero-copy reads. Pinning and the warm-up need no file system of ours. */
  private void mapReplicas() {
    append(SERVERS, ZCR + "pin.CachePinning", ZCR + "warmup.ReadWarmUp");
    append(USER_REGIONS, ZCR + "pin.CompactionPinObserver");
    String files = conf.getTrimmed(FILE_SYSTEM, "");
    if (files.isEmpty() || files.equals(HDFS) || files.equals(ZERO_COPY)) {
      conf.set(FILE_SYSTEM, ZERO_COPY);
      append(USER_REGIONS, ZCR + "hbase.MappedBlocks");
    } else {
      standAside(ServerModule.ZCR, FILE_SYSTEM, files);
    }
    on.add(ServerModule.ZCR);
  }

  private void placeFiles() {
    append(USER_REGIONS, TIERS + "TieredStores");
    append(SERVERS, TIERS + "guard.TierGuard");
    on.add(ServerModule.TIERS);
  }

  /**
   * Publishes that a feature stands aside. A part that still works publishes its own status later.
   */
  private static void standAside(ServerModule module, String key, String value) {
    String reason = key + " is " + value + "; remove that key to switch it on";
    LOG.warn("{} stands aside: {}", module.label(), reason);
    module.publishOff(reason);
  }

  /**
   * Appends classes to a key. Existing classes, perhaps with a priority after a bar, keep their
   * place.
   */
  private void append(String key, String... classes) {
    List<String> list = new ArrayList<>(Arrays.asList(conf.getTrimmedStrings(key)));
    for (String name : classes) {
      if (list.stream().noneMatch(entry -> entry.split("\\|")[0].trim().equals(name))) {
        list.add(name);
      }
    }
    conf.set(key, String.join(",", list));
  }
}
