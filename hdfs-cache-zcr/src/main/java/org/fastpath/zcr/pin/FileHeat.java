package org.fastpath.zcr.pin;

/**
 * What a RegionServer tells of a store file that it has open, or is about to open.
 *
 * @param path in HDFS, without scheme and authority
 * @param length in bytes
 * @param policy of the tables here that read it, the strongest
 * @param own whether the region in whose directory it lies is one of the readers
 * @param cacheable whether HDFS can lock it in memory; not if it is erasure-coded
 * @param pending whether it is the output of a compaction that is not in place yet
 * @param heat bytes read here, decayed
 * @param settling whether the heat says nothing yet
 */
record FileHeat(
    String path,
    long length,
    PinPolicy policy,
    boolean own,
    boolean cacheable,
    boolean pending,
    double heat,
    boolean settling) {

  /**
   * The same file as all its readers see it. Heats add up. The policy is that of the region in
   * whose directory the file lies, if that region reads it; else the strongest.
   */
  FileHeat and(FileHeat other) {
    PinPolicy strongest = policy.compareTo(other.policy) <= 0 ? policy : other.policy;
    PinPolicy owners = own ? policy : other.policy;
    return new FileHeat(
        path,
        Math.max(length, other.length),
        own == other.own ? strongest : owners,
        own || other.own,
        cacheable && other.cacheable,
        pending || other.pending,
        heat + other.heat,
        settling && other.settling);
  }
}
