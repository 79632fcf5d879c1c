package org.fastpath.bench.workload;

/**
 * What a RegionServer has DataNodes keep in memory.
 *
 * @param pinnedBytes that it asks for
 * @param cachedBytes that they have
 * @param changes files pinned or unpinned so far
 */
record PinReading(long pinnedBytes, long cachedBytes, long changes) {
  /** Of a RegionServer that asks for none. */
  static final PinReading NONE = new PinReading(0, 0, 0);
}
