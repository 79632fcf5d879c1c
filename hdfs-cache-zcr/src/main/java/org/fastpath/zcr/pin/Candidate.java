package org.fastpath.zcr.pin;

/**
 * A store file that could be pinned.
 *
 * @param path in HDFS, without scheme and authority
 * @param bytes of DataNode memory that it would take: its length times the replicas locked
 * @param policy ALWAYS or AUTO or NEVER
 * @param heat bytes read of it, decayed
 * @param settling whether its heat says nothing yet, because it has not been measured for long
 */
record Candidate(String path, long bytes, PinPolicy policy, double heat, boolean settling) {
  /** What a byte of memory for it is worth: the bytes that are read from it. */
  double worth() {
    return heat / bytes;
  }
}
