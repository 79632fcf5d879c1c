package org.fastpath.zcr.pin;

/**
 * A RegionServer's report about a store file that it has open or will open.
 *
 * @param path in HDFS, without scheme and authority
 * @param length in bytes
 * @param policy the strongest one of its readers here
 * @param own whether the region of its directory is one of the readers
 * @param cacheable whether HDFS can lock it in memory; not if it is erasure-coded
 * @param pending whether it is the output of an unfinished compaction
 * @param heat bytes read here, decayed
 * @param settling whether it has been measured too briefly
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
   * Combines two reports about a file. AccessFrequencies add up. The policy is that of the region
   * of the file's directory, if it reads the file; otherwise the strongest one.
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
