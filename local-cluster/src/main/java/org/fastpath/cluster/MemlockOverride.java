package org.fastpath.cluster;

import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * Makes the DataNode's start-up check see an unlimited lock limit. Root may lock more than {@code
 * ulimit -l}, but the check reads only the limit. Locking itself stays real.
 *
 * <p>Only {@link DaemonLauncher} loads it, in the daemon.
 */
final class MemlockOverride extends NativeIO.POSIX.CacheManipulator {
  private MemlockOverride() {}

  static void install() {
    NativeIO.POSIX.setCacheManipulator(new MemlockOverride());
  }

  @Override
  public long getMemlockLimit() {
    return Long.MAX_VALUE;
  }
}
