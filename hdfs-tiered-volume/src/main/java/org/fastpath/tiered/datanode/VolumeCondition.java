package org.fastpath.tiered.datanode;

/** The condition of a volume. */
enum VolumeCondition {
  /** It gets its share. */
  HEALTHY,
  /** It is much slower than its peers and gets only probes. */
  SLOW,
  /** Operations on it fail, and it gets only probes. */
  ERRING
}
