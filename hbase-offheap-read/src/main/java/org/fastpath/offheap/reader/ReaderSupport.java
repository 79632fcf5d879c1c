package org.fastpath.offheap.reader;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.common.FeatureStatus.State;
import org.fastpath.offheap.status.CacheFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which files the off-heap reader reads. If HBase's code is not the verified code, it reads
 * none. One line of the log, the status of the feature and the metric {@code
 * unverifiedVersionCount} say so. Thread-safe.
 */
public final class ReaderSupport {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderSupport.class);
  private static final String ENGINE_KEY = "hbase.hstore.engine.class";
  private static final String ENGINES = "org.apache.hadoop.hbase.regionserver.OffHeapReader";
  private static final String DEFAULT_ENGINE = ENGINES + "StoreEngine";
  private static final Map<String, String> OURS_BY_STOCK =
      Map.of(
          "org.apache.hadoop.hbase.regionserver.StripeStoreEngine", ENGINES + "StripeStoreEngine",
          "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine",
              ENGINES + "DateTieredStoreEngine");
  private static final String REGION_KEY = "hbase.hregion.impl";
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";

  private static final boolean AVAILABLE = CacheFeatures.check(CacheFeatures.READER);
  private static final String UNVERIFIED = CacheFeatures.READER.reason();

  private static final boolean SCANS = CacheFeatures.check(CacheFeatures.LEAN_SCANS);
  private static final String UNVERIFIED_SCANS = CacheFeatures.LEAN_SCANS.reason();

  private ReaderSupport() {}

  /** Returns whether HBase's code is verified for the reader. */
  public static boolean available() {
    return AVAILABLE;
  }

  /** Returns whether HBase's code is verified for the reader and for lean scans. */
  public static boolean scanFastPath() {
    return AVAILABLE && SCANS;
  }

  /**
   * Makes two keys of a RegionServer's configuration consistent: {@code enabled}, which the cache
   * reads too, and the engine class. If one implies the other, sets it. A configured engine stays.
   * With one of our engines, sets the region class to the one with lean scans, unless another class
   * than our metered one is configured.
   *
   * @return the same configuration
   * @throws ReaderConfigurationException (an IllegalArgumentException) naming the key, its value
   *     and the allowed values
   */
  public static Configuration prepared(Configuration conf) {
    boolean enabled = ReaderOptions.of(conf).enabled();
    if (enabled && attached(conf)) {
      conf.set(ReaderOptions.ENABLED, "true");
    } else if (AVAILABLE
        && enabled
        && conf.getTrimmed(ENGINE_KEY, "").isEmpty()
        && conf.get(ReaderOptions.ENABLED) != null) {
      conf.set(ENGINE_KEY, DEFAULT_ENGINE);
    }
    if (SCANS && attached(conf)) {
      conf.set(REGION_KEY, region(conf.getTrimmed(REGION_KEY, "")));
    }
    publish(conf, enabled);
    return conf;
  }

  private static void publish(Configuration conf, boolean enabled) {
    if (!enabled) {
      CacheFeatures.READER.off(ReaderOptions.ENABLED + " is false");
    } else if (!AVAILABLE) {
      CacheFeatures.READER.fallenBack(UNVERIFIED);
    } else if (attached(conf)) {
      CacheFeatures.READER.active();
    } else {
      CacheFeatures.READER.off(
          ENGINE_KEY + " is '" + conf.getTrimmed(ENGINE_KEY, "") + "', not an engine of this jar");
    }
    publishScans(conf);
  }

  private static void publishScans(Configuration conf) {
    State reader = CacheFeatures.READER.state();
    String region = conf.getTrimmed(REGION_KEY, "");
    if (reader != State.ACTIVE) {
      CacheFeatures.LEAN_SCANS.publish(reader, CacheFeatures.READER.reason());
    } else if (!SCANS) {
      CacheFeatures.LEAN_SCANS.fallenBack(UNVERIFIED_SCANS);
    } else if (region.startsWith(REGIONS + "OffHeapRead")) {
      CacheFeatures.LEAN_SCANS.active();
    } else {
      CacheFeatures.LEAN_SCANS.off(REGION_KEY + " is " + region + ", not a region of this jar");
    }
  }

  /**
   * Publishes the status when one of our engines opens a store, with or without our RegionServer
   * class.
   */
  private static void publishUse() {
    if (AVAILABLE) {
      CacheFeatures.READER.active();
    } else {
      CacheFeatures.READER.fallenBack(UNVERIFIED);
    }
  }

  private static String region(String chosen) {
    return switch (chosen) {
      case "" -> REGIONS + "OffHeapReadRegion";
      case REGIONS + "MeteredRegion" -> REGIONS + "OffHeapReadMeteredRegion";
      default -> chosen;
    };
  }

  private static boolean attached(Configuration conf) {
    return AVAILABLE && conf.getTrimmed(ENGINE_KEY, "").startsWith(ENGINES);
  }

  /**
   * Returns our engine for a store whose table names HBase's engine for stripes or date tiers;
   * empty for others. So if the site enables the reader, the table need not name our engine.
   *
   * @param conf the store's configuration
   */
  public static Optional<String> engineFor(Configuration conf) {
    String engine = conf.getTrimmed(ENGINE_KEY, "");
    return conf.get(ReaderOptions.ENABLED) == null
        ? Optional.empty()
        : Optional.ofNullable(OURS_BY_STOCK.get(engine));
  }

  /**
   * Returns whether one of our engines will read the files of a store before it opens. That engine
   * reports an invalid attribute of the table.
   *
   * @param conf the store's configuration
   */
  public static boolean attached(Configuration conf, TableName table) {
    try {
      boolean attached = attached(conf) || AVAILABLE && engineFor(conf).isPresent();
      return attached && ReaderOptions.of(conf).reads(table);
    } catch (ReaderConfigurationException e) {
      return false;
    }
  }

  /**
   * Returns whether the off-heap reader reads the files of a store. An invalid attribute of the
   * table disables the reader for that store; the region still opens.
   *
   * @param conf the store's configuration
   */
  public static boolean reads(Configuration conf, TableName table) {
    ReaderMetrics.register();
    try {
      boolean asked = ReaderOptions.of(conf).reads(table);
      if (asked) {
        publishUse();
      }
      return asked && AVAILABLE;
    } catch (ReaderConfigurationException e) {
      ReaderMetrics.misconfigured();
      LOG.error(
          "HBase's reader reads a store of table {}, because a key is invalid: {}",
          table,
          e.getMessage());
      return false;
    }
  }
}
