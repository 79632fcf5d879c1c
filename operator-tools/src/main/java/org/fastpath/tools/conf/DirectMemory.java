package org.fastpath.tools.conf;

/** The direct memory of a RegionServer. */
public final class DirectMemory {
  private static final long GIB = 1L << 30;
  private static final int TENTH = 10;

  private DirectMemory() {}

  /** Returns the limit that a cache needs: RPC buffers and HDFS's client take some, too. */
  public static long neededFor(long cache) {
    return cache + Math.max(GIB, cache / TENTH);
  }
}
