package org.fastpath.zcr;

/**
 * A replica on this machine that may be mapped, held for whoever found it: by its anchor, the
 * DataNode keeps it in locked memory until then. For one thread, which closes it whether it was
 * mapped or not; the mapping stays.
 */
interface MappableReplica extends AutoCloseable {
  /**
   * Maps it, once.
   *
   * @throws NotMappedException if the kernel refuses, or the file is too short
   */
  MappedReplica map() throws NotMappedException;

  @Override
  void close();
}
