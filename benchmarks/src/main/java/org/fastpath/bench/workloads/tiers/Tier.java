package org.fastpath.bench.workloads.tiers;

import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.fs.StorageType;

/**
 * A kind of storage of the story "HDFS HSM and HBase", mapped to HDFS's types. RAM that accepts all
 * replicas of a write is a volume of type NVDIMM: see docs/features/storage-policies.md.
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

  /** Returns the tier whose volumes have this type. */
  static Tier of(StorageType type) {
    return Arrays.stream(values()).filter(tier -> tier.type == type).findAny().orElseThrow();
  }

  /** Returns the stock policy that puts all replicas on it. */
  String policy() {
    return policy;
  }

  /** Returns its volume in {@code dfs.datanode.data.dir}: {@code [SSD]}. */
  String volume() {
    return "[" + type + "]";
  }

  /** Returns its name in results. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
