package org.fastpath.zcr.pin;

/**
 * A candidate for a pin.
 *
 * @param path in HDFS, without scheme and authority
 * @param bytes of DataNode memory that it needs: its length times the locked replicas
 * @param policy ALWAYS or AUTO or NEVER
 * @param heat bytes read of it, decayed
 * @param settling whether it has been measured too briefly
 */
record Candidate(String path, long bytes, PinPolicy policy, double heat, boolean settling) {
  /** Returns the worth of a byte of its memory: the bytes read per byte. */
  double worth() {
    return heat / bytes;
  }
}
