package org.fastpath.cluster;

import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * Tells the DataNode's start-up check that memory may be locked without limit. Root may lock more
 * than {@code ulimit -l} says, but the check looks at the limit only. Locking itself stays real.
 *
 * <p>Loaded in the daemon only, by {@link DaemonLauncher}.
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
