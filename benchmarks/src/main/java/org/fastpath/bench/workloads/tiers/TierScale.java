package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.List;
import org.fastpath.cluster.VolumeSpeed;

/**
 * Scales the story's cluster down. Each of three nodes had all replicas, so one DataNode here has
 * the load of one of them. One RegionServer has the load of three.
 *
 * <p>Bytes per second of devices are divided by the factor. If devices are the limit, so is the
 * rate of inserts. Time is shorter too: the 51 minutes of 1T_SSD take as long as the measurement.
 * Bytes of data and memstores are divided by both. The 210 regions become six. So bytes of one
 * region (the flush size, the limit between small and large files) are larger in proportion. All
 * regions together flush and compact as often as there. Ratios of data, memstores, flush size and
 * limit are the story's.
 *
 * <p>A disk's seek time is unchanged, and its bytes between two seeks are divided by the factor. So
 * seeks take the same part of its bandwidth.
 *
 * @param factor the factor by which devices are slower
 * @param seconds of a load
 * @param pages whether the page cache has the story's size and devices read missing pages;
 *     otherwise it is equal in all cases
 */
record TierScale(double factor, int seconds, boolean pages) {
  /** Inserts per second of 1T_SSD, taken as the limit of its devices. */
  static final double STORY_RATE = 325_148;

  static final int REGIONS = 6;

  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;
  private static final double STORY_FLUSH = 128 * MEGABYTE;

  /** The distance behind a writer at which a DataNode drops pages of a 128 MB block. */
  private static final double STORY_DROP_LAG = 8 * MEGABYTE;

  private static final double STORY_LIMIT = 1.5 * GIGABYTE;
  private static final double STORY_MEMSTORES = 3 * 64 * GIGABYTE * 0.4;

  /** Memory of a node; heap and RAM disk reduce its page cache (Table 4 and part 3). */
  private static final double STORY_MEMORY = 384 * GIGABYTE;

  private static final double STORY_HEAP = 64 * GIGABYTE;
  private static final double STORY_RAM_DISK = 300 * GIGABYTE;

  /** The approximate mean of the rest. */
  private static final double PAGES_OF_ALL_CASES = 200 * GIGABYTE;

  /** The part of the page cache that may hold dirty pages. */
  private static final double WRITE_BACK_PART = 0.2;

  /**
   * The bytes that Linux writes of a file before it turns to another ({@code MIN_WRITEBACK_PAGES}).
   * A DataNode's readahead is equal. With a seek for each, disks have 82 % of their bandwidth. The
   * story measured 86 %.
   */
  private static final double STORY_MERGED = 4 * MEGABYTE;

  /** The bytes that HDFS writes to a device at once. */
  private static final double STORY_PACKET = 64 << 10;

  /** With smaller packets, the CPU would be the limit instead of devices. */
  private static final long MIN_PACKET = 4 << 10;

  private static final double RAM_RATE = 11_194 * MEGABYTE;
  private static final double SSD_RATE = 447 * MEGABYTE;
  private static final double HDD_RATE = 127 * MEGABYTE;
  private static final Duration SSD_LATENCY = Duration.ofNanos(80_000);
  private static final double SEEK_SECONDS = 6.7e-3;

  /** The first part of 1,536 MB/s, in the ratio of 213.5 to 107 in the story's Figure 17. */
  private static final double FIRST_CONTROLLER = 1_024 * MEGABYTE;

  private static final double SECOND_CONTROLLER = 512 * MEGABYTE;

  /** Returns the rows that devices of the story's speed, scaled, accept in a load. */
  long rows() {
    return Math.max(1, (long) (seconds * STORY_RATE / factor));
  }

  /** Returns the divisor of the bytes of all data. */
  double ofBytes(TierDataset dataset) {
    return (double) dataset.rows() / rows();
  }

  /** Returns the divisor of times. */
  double ofTime(TierDataset dataset) {
    return ofBytes(dataset) / factor;
  }

  /** Returns the divisor of the bytes of one region. */
  private double ofRegion(TierDataset dataset) {
    return ofBytes(dataset) * REGIONS / dataset.regions();
  }

  /** Returns the number of replicas of our regions, for that of the story's regions. */
  long replicas(TierDataset dataset, long there) {
    return Math.max(1, there * REGIONS / dataset.regions());
  }

  /** Returns the size at which a region's memstore is flushed. */
  long flushBytes(TierDataset dataset) {
    return (long) (STORY_FLUSH / ofRegion(dataset));
  }

  /** Returns the distance behind a writer at which a DataNode drops pages. */
  long dropLagBytes(TierDataset dataset) {
    return (long) (STORY_DROP_LAG / ofRegion(dataset));
  }

  /** Returns the maximum size of a small file. */
  long limitBytes(TierDataset dataset) {
    return (long) (STORY_LIMIT / ofRegion(dataset));
  }

  /** Returns the limit of all memstores. */
  long memstoreBytes(TierDataset dataset) {
    return (long) (STORY_MEMSTORES / ofBytes(dataset));
  }

  /**
   * Returns the bytes that a writer writes to a device at once. They determine how long a slow
   * writer, a log, waits for others.
   */
  long packetBytes() {
    return Math.max(MIN_PACKET, (long) (STORY_PACKET / factor));
  }

  /**
   * Returns the bytes of the page cache.
   *
   * @param volumes of the node
   */
  long pageCacheBytes(TierDataset dataset, List<Tier> volumes) {
    return (long) (pageCache(volumes) / ofBytes(dataset));
  }

  private double pageCache(List<Tier> volumes) {
    return pages
        ? STORY_MEMORY - STORY_HEAP - (volumes.contains(Tier.RAM) ? STORY_RAM_DISK : 0)
        : PAGES_OF_ALL_CASES;
  }

  /** Scales a time of the story's cluster that is not a device's. */
  Duration time(TierDataset dataset, Duration there) {
    return Duration.ofMillis(Math.max(1, (long) (there.toMillis() / ofTime(dataset))));
  }

  /** Returns the speed of a volume. */
  VolumeSpeed speed(Tier tier) {
    VolumeSpeed speed = VolumeSpeed.bytesPerSecond(rate(tier) / factor);
    return switch (tier) {
      case RAM -> speed;
      case SSD -> speed.latency(SSD_LATENCY);
      case HDD -> speed.operationsPerSecond(1 / SEEK_SECONDS);
    };
  }

  private static double rate(Tier tier) {
    return switch (tier) {
      case RAM -> RAM_RATE;
      case SSD -> SSD_RATE;
      case HDD -> HDD_RATE;
    };
  }

  /** Returns the speed of the controller of the first four disks. */
  VolumeSpeed firstController() {
    return VolumeSpeed.bytesPerSecond(FIRST_CONTROLLER / factor);
  }

  /** Returns the speed of the controller of the others. */
  VolumeSpeed secondController() {
    return VolumeSpeed.bytesPerSecond(SECOND_CONTROLLER / factor);
  }

  /**
   * Adds write-back to a disk or a controller. Its part of all dirty pages is that of its
   * bandwidth.
   *
   * @param volumes of the node
   */
  VolumeSpeed behindKernel(VolumeSpeed speed, TierDataset dataset, List<Tier> volumes) {
    double all =
        volumes.stream().filter(tier -> tier != Tier.RAM).mapToDouble(TierScale::rate).sum();
    double share = speed.bytesPerSecond() * factor / all;
    double held = WRITE_BACK_PART * pageCache(volumes) * share;
    return speed.writeBack(held / ofBytes(dataset), STORY_MERGED / factor);
  }
}
