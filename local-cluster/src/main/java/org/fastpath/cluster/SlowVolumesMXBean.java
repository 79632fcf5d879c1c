package org.fastpath.cluster;

/**
 * The use of a DataNode's modelled devices since its start, in the order of the {@link
 * DeviceTable}: one for each volume, then the controllers. The DataNode's /jmx shows it.
 */
public interface SlowVolumesMXBean {
  /** Returns the bytes that each device had to read. */
  long[] getReadBytes();

  /** Returns the bytes that each device had to write. */
  long[] getWrittenBytes();

  /** Returns the busy time of each device until now, in nanoseconds. */
  long[] getBusyNanos();
}
