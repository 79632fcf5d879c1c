package org.fastpath.bench.workloads.tiers;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;

/**
 * A kind of storage of the story "HDFS HSM and HBase", as HDFS knows it here. RAM that takes writes
 * with all replicas is a volume of type NVDIMM: see docs/features/storage-policies.md.
 */
enum Tier {
  RAM(StorageType.NVDIMM, "ALL_NVDIMM"),
  SSD(StorageType.SSD, "ALL_SSD"),
  HDD(StorageType.DISK, "HOT");

  private final StorageType type;
  private final String policy;

  Tier(StorageType type, String policy) {
    this.type = type;
    this.policy = policy;
  }

  /** The tier whose volumes are of this type. */
  static Tier of(StorageType type) {
    return Arrays.stream(values()).filter(tier -> tier.type == type).findAny().orElseThrow();
  }

  /** The stock policy that puts all replicas on it. */
  String policy() {
    return policy;
  }

  /** Its volumes in {@code dfs.datanode.data.dir}: {@code [SSD]}. */
  String volume() {
    return "[" + type + "]";
  }

  /** Its name in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
