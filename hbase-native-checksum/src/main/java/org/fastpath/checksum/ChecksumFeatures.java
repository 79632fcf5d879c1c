package org.fastpath.checksum;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.guard.GuardedFeature;
import org.fastpath.common.guard.Unverified;

/** Holds the status of the two patches, and decides whether each may be used. */
public final class ChecksumFeatures {
  /** The patch of Hadoop's class. */
  public static final FeatureStatus HADOOP = status("checksum-hadoop");

  /** The patch of HBase's class. */
  public static final FeatureStatus HBASE = status("checksum-hbase");

  private ChecksumFeatures() {}

  private static FeatureStatus status(String feature) {
    return FeatureStatus.of("hbase-native-checksum", feature);
  }

  /** Returns whether Hadoop's code is the verified code, so that the patch may be used. */
  static boolean checkHadoop(String version) {
    return check(
        HADOOP, "Hadoop " + version, Unverified.HDFS_KEY, "core-site.xml", "hdfs-site.xml");
  }

  /** Returns whether HBase's code is the verified code, so that the patch may be used. */
  public static boolean checkHBase(String version) {
    return check(HBASE, "HBase " + version, Unverified.HBASE_KEY, "hbase-site.xml");
  }

  private static boolean check(FeatureStatus status, String upstream, String key, String... sites) {
    boolean usable =
        GuardedFeature.check(status, ChecksumFeatures.class, upstream, key, () -> value(key, sites))
            .usable();
    if (usable) {
      status.active();
    }
    return usable;
  }

  /** The system property goes first, as for {@link ChecksumProvider}. */
  private static String value(String key, String... sites) {
    Configuration conf = new Configuration(false);
    for (String site : sites) {
      conf.addResource(site);
    }
    return System.getProperty(key, conf.get(key));
  }
}
