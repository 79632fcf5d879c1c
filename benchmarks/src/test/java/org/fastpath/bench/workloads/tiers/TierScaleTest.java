package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.fastpath.cluster.VolumeSpeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reduced sizes keep the story's proportions. */
class TierScaleTest {
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;
  private static final Percentage ROUNDING = Percentage.withPercentage(0.1);

  private final TierScale scale = new TierScale(64, 60, true);

  /**
   * Compares data with memstores, with a flush and with the limit of small files, in total or per
   * region.
   */
  @ParameterizedTest
  @EnumSource
  void proportionsAreTheStorys(TierDataset dataset) {
    double there = dataset.rows();
    double here = scale.rows();
    assertThat(here / scale.memstoreBytes(dataset))
        .isCloseTo(there / (3 * 64 * GIGABYTE * 0.4), ROUNDING);
    double regionThere = there / dataset.regions();
    double regionHere = here / TierScale.REGIONS;
    assertThat(regionHere / scale.flushBytes(dataset))
        .isCloseTo(regionThere / (128 * MEGABYTE), ROUNDING);
    assertThat(regionHere / scale.limitBytes(dataset))
        .isCloseTo(regionThere / (1.5 * GIGABYTE), ROUNDING);
  }

  @Test
  void bytesAreDividedByFactorAndTime() {
    assertThat(scale.rows()).isEqualTo(304_826);
    assertThat(scale.ofTime(TierDataset.TB_1)).isCloseTo(51.3, within(0.1));
    assertThat(scale.ofBytes(TierDataset.TB_1))
        .isCloseTo(64 * scale.ofTime(TierDataset.TB_1), ROUNDING);
    assertThat(scale.time(TierDataset.TB_1, Duration.ofMinutes(5)))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
  }

  @Test
  void devicesAreSlowerByTheFactorAndSeeksAreNot() {
    assertThat(scale.speed(Tier.SSD).bytesPerSecond()).isEqualTo(447 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.HDD).bytesPerSecond()).isEqualTo(127 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.HDD).operationsPerSecond()).isCloseTo(149.25, within(0.01));
    assertThat(scale.firstController().bytesPerSecond() + scale.secondController().bytesPerSecond())
        .isEqualTo(1536 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.RAM).bytesPerSecond()).isGreaterThan(7 * 1536 * MEGABYTE / 64);
  }

  /** Dirty pages take equal time on each disk of a node. Their sum is that of the story. */
  @Test
  void theKernelHoldsByBandwidth() {
    List<Tier> volumes = List.of(Tier.RAM, Tier.SSD, Tier.SSD, Tier.HDD);
    VolumeSpeed ssd = behindKernel(scale.speed(Tier.SSD), volumes);
    VolumeSpeed hdd = behindKernel(scale.speed(Tier.HDD), volumes);
    assertThat(ssd.writeBackBytes() / ssd.bytesPerSecond())
        .isCloseTo(hdd.writeBackBytes() / hdd.bytesPerSecond(), ROUNDING);
    assertThat(2 * ssd.writeBackBytes() + hdd.writeBackBytes())
        .isCloseTo(0.2 * 20 * GIGABYTE / scale.ofBytes(TierDataset.TB_1), ROUNDING);
  }

  @Test
  void replicasAreAsFewAsRegions() {
    assertThat(scale.replicas(TierDataset.TB_1, 256)).isEqualTo(7);
    assertThat(scale.replicas(TierDataset.TB_1, 1)).isOne();
  }

  /** The part of a flush, about a block, equals the part of a 128 MB block in the story. */
  @Test
  void pagesAreDroppedAsSoonAsThere() {
    assertThat(16.0 * scale.dropLagBytes(TierDataset.TB_1))
        .isCloseTo(scale.flushBytes(TierDataset.TB_1), within(16.0));
  }

  /** A RAM disk takes memory from the page cache. */
  @Test
  void ramDisksLeaveLittleForPages() {
    double bytes = scale.ofBytes(TierDataset.TB_1);
    assertThat(bytes * scale.pageCacheBytes(TierDataset.TB_1, List.of(Tier.RAM, Tier.HDD)))
        .isCloseTo(20 * GIGABYTE, ROUNDING);
    assertThat(bytes * scale.pageCacheBytes(TierDataset.TB_1, List.of(Tier.HDD)))
        .isCloseTo(320 * GIGABYTE, ROUNDING);
    TierScale without = new TierScale(64, 60, false);
    assertThat(bytes * without.pageCacheBytes(TierDataset.TB_1, List.of(Tier.RAM, Tier.HDD)))
        .isCloseTo(200 * GIGABYTE, ROUNDING);
  }

  @Test
  void seeksLeaveDisksWhatTheyLeftThere() {
    VolumeSpeed disk = behindKernel(scale.speed(Tier.HDD), List.of(Tier.HDD));
    double written = disk.mergedBytes() / disk.bytesPerSecond();
    double sought = 1 / disk.operationsPerSecond();
    assertThat(written / (written + sought)).isBetween(0.82, 0.86);
  }

  @Test
  void packetsTakeDevicesAsLongAsThereUntilTheyAreSmall() {
    assertThat(new TierScale(8, 60, true).packetBytes()).isEqualTo(8192);
    assertThat(scale.packetBytes()).isEqualTo(4096);
  }

  private VolumeSpeed behindKernel(VolumeSpeed speed, List<Tier> volumes) {
    return scale.behindKernel(speed, TierDataset.TB_1, volumes);
  }
}
