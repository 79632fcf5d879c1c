package org.fastpath.bench.simulators.volumes;

/** A disk that writes one replica after the other. Not thread-safe. */
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

  /** Returns the time at which a replica would be written. */
  long finish(long nowNanos, long bytes) {
    return profile.finish(Math.max(nowNanos, freeNanos), bytes / bytesPerNano);
  }

  /** Accepts a replica; returns its end. The effort is relative to a disk without jitter. */
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
