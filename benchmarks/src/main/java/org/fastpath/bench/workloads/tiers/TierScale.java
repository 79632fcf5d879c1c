package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.fastpath.cluster.VolumeSpeed;

/**
 * Scales the story's cluster down: see "The model of tiers" in docs/results/benchmarks.md. Each of
 * three nodes had all replicas, so one DataNode here has the load of one of them. One RegionServer
 * has the load of three.
 *
 * <p>If devices are the limit, so is the rate of inserts. The 51 minutes of 1T_SSD take as long as
 * the measurement. The 210 regions become six, so bytes of one region are larger in proportion. All
 * regions together flush and compact as often as there.
 *
 * @param one the case, with its dataset and the volumes of a node
 * @param factor the factor by which devices are slower
 * @param seconds of a load
 * @param pages whether the page cache has the story's size and devices read missing pages;
 *     otherwise it is equal in all cases
 */
record TierScale(TierCase one, double factor, int seconds, boolean pages) {
  /** Inserts per second of 1T_SSD, taken as the limit of its devices. */
  static final double STORY_RATE = 325_148;

  static final int REGIONS = 6;
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;

  /** The part of the page cache that may hold dirty pages. */
  private static final double WRITE_BACK_PART = 0.2;

  /**
   * The bytes that Linux writes of a file before it turns to another ({@code MIN_WRITEBACK_PAGES}).
   * A DataNode's readahead is equal. With a seek for each, disks have 82 % of their bandwidth. The
   * story measured 86 %.
   */
  private static final double STORY_MERGED = 4 * MEGABYTE;

  private static final double SEEK_SECONDS = 6.7e-3;

  /** Returns the rows that devices of the story's speed, scaled, accept in a load. */
  long rows() {
    return Math.max(1, (long) (seconds * STORY_RATE / factor));
  }

  /** Returns the divisor of bytes. */
  double ofBytes() {
    return (double) one.dataset().rows() / rows();
  }

  /** Returns the divisor of times. */
  double ofTime() {
    return ofBytes() / factor;
  }

  private long ofRegion(double bytesThere) {
    return (long) (bytesThere / (ofBytes() * REGIONS / one.dataset().regions()));
  }

  /** Returns the number of replicas of our regions, for that of the story's regions. */
  long replicas(long there) {
    return Math.max(1, there * REGIONS / one.dataset().regions());
  }

  /** Returns the size at which a region's memstore is flushed. */
  long flushBytes() {
    return ofRegion(128 * MEGABYTE);
  }

  /** Returns the distance behind a writer at which a DataNode drops pages of a block. */
  long dropLagBytes() {
    return ofRegion(8 * MEGABYTE);
  }

  /** Returns the maximum size of a small file. */
  long limitBytes() {
    return ofRegion(1.5 * GIGABYTE);
  }

  /** Returns the limit of all memstores: 40 % of three heaps. */
  long memstoreBytes() {
    return (long) (3 * 64 * GIGABYTE * 0.4 / ofBytes());
  }

  /**
   * Returns the bytes that HDFS writes to a device at once. They determine how long a slow writer,
   * a log, waits for others. With less than 4 KB, the CPU would be the limit instead of devices.
   */
  long packetBytes() {
    return Math.max(4 << 10, (long) ((64 << 10) / factor));
  }

  long pageCacheBytes() {
    return (long) (pageCache() / ofBytes());
  }

  /**
   * Returns the story's memory of a node without heap and RAM disk (Table 4 and part 3), or the
   * approximate mean of all cases.
   */
  private double pageCache() {
    int ramDisk = one.volumes().contains(Tier.RAM) ? 300 : 0;
    return GIGABYTE * (pages ? 384 - 64 - ramDisk : 200);
  }

  /** Scales a time of the story's cluster that is not a device's; returns milliseconds. */
  long millis(Duration there) {
    return Math.max(1, (long) (there.toMillis() / ofTime()));
  }

  /** Returns the speed of a volume; disks and SSDs have the kernel's write-back. */
  VolumeSpeed speed(Tier tier) {
    VolumeSpeed speed = VolumeSpeed.bytesPerSecond(tier.bytesPerSecond / factor);
    return switch (tier) {
      case RAM -> speed;
      case SSD -> behindKernel(speed.latency(Duration.ofNanos(80_000)));
      case HDD -> behindKernel(speed.operationsPerSecond(1 / SEEK_SECONDS));
    };
  }

  /**
   * Returns the speeds of the controller of the first four disks, and of that of the others. The
   * story's had 1,536 MB/s, in the ratio of 213.5 to 107 (Figure 17).
   */
  List<VolumeSpeed> controllers() {
    return Stream.of(1024 * MEGABYTE, 512 * MEGABYTE)
        .map(bandwidth -> behindKernel(VolumeSpeed.bytesPerSecond(bandwidth / factor)))
        .toList();
  }

  /** Adds write-back, whose part of all dirty pages is that of the bandwidth. */
  private VolumeSpeed behindKernel(VolumeSpeed speed) {
    double all =
        one.volumes().stream()
            .filter(tier -> tier != Tier.RAM)
            .mapToDouble(tier -> tier.bytesPerSecond)
            .sum();
    double held = WRITE_BACK_PART * pageCache() * speed.bytesPerSecond() * factor / all;
    return speed.writeBack(held / ofBytes(), STORY_MERGED / factor);
  }
}
