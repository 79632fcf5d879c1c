package org.fastpath.bench.workloads.tiers;

import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;

/**
 * A kind of storage of the story "HDFS HSM and HBase", mapped to HDFS's types. RAM that accepts all
 * replicas of a write is a volume of type NVDIMM: see docs/features/storage-policies.md.
 */
enum Tier {
  RAM(StorageType.NVDIMM, "ALL_NVDIMM", 11_194),
  SSD(StorageType.SSD, "ALL_SSD", 447),
  HDD(StorageType.DISK, "HOT", 127);

  final StorageType type;

  /** The stock policy that puts all replicas on this tier. */
  final String policy;

  /** The bandwidth of a volume of the story. */
  final double bytesPerSecond;

  /** The name in results. */
  final String label = name().toLowerCase(Locale.ROOT);

  Tier(StorageType type, String policy, int megabytesPerSecond) {
    this.type = type;
    this.policy = policy;
    this.bytesPerSecond = megabytesPerSecond * (double) (1 << 20);
  }

  static Tier of(StorageType type) {
    return Stream.of(values()).filter(tier -> tier.type == type).findAny().orElseThrow();
  }
}
