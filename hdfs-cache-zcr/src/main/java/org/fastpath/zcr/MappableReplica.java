package org.fastpath.zcr;

/**
 * A replica on this machine that can be mapped. Its anchor makes the DataNode keep it in locked
 * memory until it is closed. Not thread-safe. The owner always closes it; a mapping stays.
 */
interface MappableReplica extends AutoCloseable {
  /**
   * Maps the replica, once.
   *
   * @throws NotMappedException if the kernel refuses, or the file is too short
   */
  MappedReplica map() throws NotMappedException;

  @Override
  void close();
}
