package org.fastpath.bench.simulators.volumes;

/** A disk that writes one replica after the other. For one thread. */
final class SimulatedDisk {
  private final double bytesPerNano;
  private final long capacity;
  private final SpeedProfile profile;
  private long usedBytes;
  private long writtenBytes;
  private long inFlightBytes;
  private long freeNanos;

  SimulatedDisk(double bytesPerSecond, SpeedProfile profile, long capacity, long usedBytes) {
    this.bytesPerNano = bytesPerSecond / 1e9;
    this.profile = profile;
    this.capacity = capacity;
    this.usedBytes = usedBytes;
  }

  /** When a replica would be written. */
  long finish(long nowNanos, long bytes) {
    return profile.finish(Math.max(nowNanos, freeNanos), bytes / bytesPerNano);
  }

  /**
   * Takes a replica.
   *
   * @param effort the time that it takes, in that of a disk without jitter
   * @return when it is written
   */
  long write(long nowNanos, long bytes, double effort) {
    freeNanos = profile.finish(Math.max(nowNanos, freeNanos), effort * bytes / bytesPerNano);
    inFlightBytes += bytes;
    return freeNanos;
  }

  void written(long bytes) {
    inFlightBytes -= bytes;
    usedBytes += bytes;
    writtenBytes += bytes;
  }

  long availableBytes() {
    return Math.max(0, capacity - usedBytes - inFlightBytes);
  }

  long inFlightBytes() {
    return inFlightBytes;
  }

  long writtenBytes() {
    return writtenBytes;
  }
}
