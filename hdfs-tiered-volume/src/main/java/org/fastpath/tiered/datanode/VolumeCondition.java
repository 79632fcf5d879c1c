package org.fastpath.tiered.datanode;

/** Whether a volume gets its share. */
enum VolumeCondition {
  /** It does. */
  HEALTHY,
  /** It is much slower than its peers, and is probed. */
  SLOW,
  /** Operations on it fail, and it is probed. */
  ERRING
}
