package org.fastpath.cluster;

/**
 * What the modelled devices of a DataNode have done since it started, in the order of the {@link
 * DeviceTable}: first one for each volume, then the controllers. A bean of the platform's server,
 * so that the DataNode's /jmx shows it.
 */
public interface SlowVolumesMXBean {
  /** Bytes that were asked of each device to be read. */
  long[] getReadBytes();

  /** Bytes that were asked of each device to be written. */
  long[] getWrittenBytes();

  /** For how long each device was occupied until now, in nanoseconds. */
  long[] getBusyNanos();
}
