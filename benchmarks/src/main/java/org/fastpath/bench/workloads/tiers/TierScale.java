package org.fastpath.bench.workloads.tiers;

import java.time.Duration;
import java.util.List;
import org.fastpath.cluster.VolumeSpeed;

/**
 * The story's cluster, made smaller. Three of its nodes held all replicas each, so that one
 * DataNode here gets what one of them got; one RegionServer has the work of three.
 *
 * <p>Whatever is bytes a second, the devices, is divided by the factor; so is, where devices are
 * the limit, the rate of inserts. Time is short besides: the 51 minutes of 1T_SSD are to take no
 * longer than the measurement. Whatever is bytes, data and memstores, is divided by both. The 210
 * regions become six, so that what is bytes of one region (the flush size, the limit between small
 * files and large ones) stays as much larger, and all regions together are flushed and compacted as
 * often as there: ratios of data, memstores, flush size and limit are the story's.
 *
 * <p>What is a time by itself, the seek of a disk, stays as it was, and what a disk writes between
 * two of them is divided by the factor: so seeks take the same part of its bandwidth.
 *
 * @param factor how many times as slow devices are
 * @param seconds of a load
 * @param pages whether memory for pages of files is what the story's nodes had, a RAM disk has its
 *     part of it, and devices read what is not there; else it is the same in all cases, and what is
 *     read costs nothing
 */
record TierScale(double factor, int seconds, boolean pages) {
  /** Inserts a second of 1T_SSD: what is taken for as many as devices can bear. */
  static final double STORY_RATE = 325_148;

  static final int REGIONS = 6;

  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;
  private static final double STORY_FLUSH = 128 * MEGABYTE;

  /** How far behind the writer of a block of 128 MB a DataNode drops its pages, if it is to. */
  private static final double STORY_DROP_LAG = 8 * MEGABYTE;

  private static final double STORY_LIMIT = 1.5 * GIGABYTE;
  private static final double STORY_MEMSTORES = 3 * 64 * GIGABYTE * 0.4;

  /** Of a node, and what of it pages of files cannot have (Table 4 and part 3). */
  private static final double STORY_MEMORY = 384 * GIGABYTE;

  private static final double STORY_HEAP = 64 * GIGABYTE;
  private static final double STORY_RAM_DISK = 300 * GIGABYTE;

  /** About what is left on average. */
  private static final double PAGES_OF_ALL_CASES = 200 * GIGABYTE;

  /** What the kernel holds of what is to be written, of the memory that pages may have. */
  private static final double WRITE_BACK_PART = 0.2;

  /**
   * What Linux writes of a file before it turns to another ({@code MIN_WRITEBACK_PAGES}), and what
   * a DataNode has it read ahead of one: with a seek for each, disks have 82 % of their bandwidth.
   * The story measured 86 %.
   */
  private static final double STORY_MERGED = 4 * MEGABYTE;

  /** What HDFS hands a device of a stream at a time. */
  private static final double STORY_PACKET = 64 << 10;

  /** Smaller packets are work for the CPU rather than for devices. */
  private static final long LEAST_PACKET = 4 << 10;

  private static final double RAM_RATE = 11_194 * MEGABYTE;
  private static final double SSD_RATE = 447 * MEGABYTE;
  private static final double HDD_RATE = 127 * MEGABYTE;
  private static final Duration SSD_LATENCY = Duration.ofNanos(80_000);
  private static final double SEEK_SECONDS = 6.7e-3;

  /** Of 1,536 MB/s, as 213.5 to 107 in the story's Figure 17. */
  private static final double FIRST_CONTROLLER = 1_024 * MEGABYTE;

  private static final double SECOND_CONTROLLER = 512 * MEGABYTE;

  /** Rows that devices of the story's speed, scaled, take in a load. */
  long rows() {
    return Math.max(1, (long) (seconds * STORY_RATE / factor));
  }

  /** What bytes of all the data are divided by. */
  double ofBytes(TierDataset dataset) {
    return (double) dataset.rows() / rows();
  }

  /** What times are divided by. */
  double ofTime(TierDataset dataset) {
    return ofBytes(dataset) / factor;
  }

  /** What bytes of one region are divided by. */
  private double ofRegion(TierDataset dataset) {
    return ofBytes(dataset) * REGIONS / dataset.regions();
  }

  /** So many replicas there, of as many regions as there are here. */
  long replicas(TierDataset dataset, long there) {
    return Math.max(1, there * REGIONS / dataset.regions());
  }

  /** From which size on a region's memstore is flushed. */
  long flushBytes(TierDataset dataset) {
    return (long) (STORY_FLUSH / ofRegion(dataset));
  }

  /** How far behind a writer a DataNode drops pages that are not to be kept. */
  long dropLagBytes(TierDataset dataset) {
    return (long) (STORY_DROP_LAG / ofRegion(dataset));
  }

  /** Up to which size a file is a small one. */
  long limitBytes(TierDataset dataset) {
    return (long) (STORY_LIMIT / ofRegion(dataset));
  }

  /** What all memstores may take. */
  long memstoreBytes(TierDataset dataset) {
    return (long) (STORY_MEMSTORES / ofBytes(dataset));
  }

  /**
   * How many bytes a writer hands a device at a time. Of its size depends for how long one that
   * writes little, a log, waits for others.
   */
  long packetBytes() {
    return Math.max(LEAST_PACKET, (long) (STORY_PACKET / factor));
  }

  /**
   * What the kernel has for pages of files.
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

  /** A time of the story's cluster that is not that of a device. */
  Duration time(TierDataset dataset, Duration there) {
    return Duration.ofMillis(Math.max(1, (long) (there.toMillis() / ofTime(dataset))));
  }

  /** A volume. */
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

  /** The controller of the first four disks. */
  VolumeSpeed firstController() {
    return VolumeSpeed.bytesPerSecond(FIRST_CONTROLLER / factor);
  }

  /** The controller of the others. */
  VolumeSpeed secondController() {
    return VolumeSpeed.bytesPerSecond(SECOND_CONTROLLER / factor);
  }

  /**
   * A disk or a controller with what the kernel holds for it: its share, by bandwidth, of what it
   * holds for all.
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
