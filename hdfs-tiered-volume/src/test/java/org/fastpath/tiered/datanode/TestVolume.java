package org.fastpath.tiered.datanode;

/** A volume in a test, with given answers and given durations of writes. */
final class TestVolume implements VolumeGauges {
  static final long MB = 1 << 20;
  private static final long ENOUGH = 1L << 40;

  final VolumeLoad load = new VolumeLoad(this, true);
  long available = ENOUGH;
  long inFlight;

  @Override
  public long availableBytes() {
    return available;
  }

  @Override
  public long inFlightBytes() {
    return inFlight;
  }

  /** A write of 1 MB that ends at a point in time. */
  void write(long endNanos, long tookNanos) {
    write(endNanos, tookNanos, MB);
  }

  /** The same of so many bytes. */
  void write(long endNanos, long tookNanos, long bytes) {
    load.transfers().begin(endNanos - tookNanos);
    load.transfers().end(endNanos, bytes);
  }

  /** The same into memory: in no time. */
  void writeIntoMemory(long endNanos, long bytes) {
    write(endNanos, 1, bytes);
    load.statistics().transferred(1, bytes);
  }
}
