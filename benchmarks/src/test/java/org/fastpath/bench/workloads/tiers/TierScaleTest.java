package org.fastpath.bench.workloads.tiers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.cluster.VolumeSpeed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reduced sizes keep the story's proportions. */
class TierScaleTest {
  private static final double MEGABYTE = 1 << 20;
  private static final double GIGABYTE = 1 << 30;
  private static final Percentage ROUNDING = Percentage.withPercentage(0.1);

  private final TierScale scale = scale("1T_RAM_SSD_HDD", 64, true);

  private static TierScale scale(String label, int factor, boolean pages) {
    TierCase one = Experiment.named("case", label, TierCase.ALL, TierCase::label);
    return new TierScale(one, factor, 60, pages);
  }

  /**
   * Compares data with memstores, with a flush and with the limit of small files, in total or per
   * region.
   */
  @ParameterizedTest
  @ValueSource(strings = {"50G_SSD", "1T_SSD"})
  void proportionsAreTheStorys(String label) {
    TierScale scale = scale(label, 64, true);
    TierCase.Dataset dataset = scale.one().dataset();
    double there = dataset.rows();
    double here = scale.rows();
    assertThat(here / scale.memstoreBytes()).isCloseTo(there / (3 * 64 * GIGABYTE * 0.4), ROUNDING);
    double regionThere = there / dataset.regions();
    double regionHere = here / TierScale.REGIONS;
    assertThat(regionHere / scale.flushBytes()).isCloseTo(regionThere / (128 * MEGABYTE), ROUNDING);
    assertThat(regionHere / scale.limitBytes()).isCloseTo(regionThere / (1.5 * GIGABYTE), ROUNDING);
  }

  @Test
  void bytesAreDividedByFactorAndTime() {
    assertThat(scale.rows()).isEqualTo(304_826);
    assertThat(scale.ofTime()).isCloseTo(51.3, within(0.1));
    assertThat(scale.ofBytes()).isCloseTo(64 * scale.ofTime(), ROUNDING);
    assertThat(scale.millis(Duration.ofMinutes(5))).isBetween(5000L, 6000L);
  }

  @Test
  void devicesAreSlowerByTheFactorAndSeeksAreNot() {
    assertThat(scale.speed(Tier.SSD).bytesPerSecond()).isEqualTo(447 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.HDD).bytesPerSecond()).isEqualTo(127 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.HDD).operationsPerSecond()).isCloseTo(149.25, within(0.01));
    assertThat(scale.controllers().stream().mapToDouble(VolumeSpeed::bytesPerSecond).sum())
        .isEqualTo(1536 * MEGABYTE / 64);
    assertThat(scale.speed(Tier.RAM).bytesPerSecond()).isGreaterThan(7 * 1536 * MEGABYTE / 64);
  }

  /** Dirty pages take equal time on each disk of a node. Their sum is that of the story. */
  @Test
  void theKernelHoldsByBandwidth() {
    VolumeSpeed ssd = scale.speed(Tier.SSD);
    VolumeSpeed hdd = scale.speed(Tier.HDD);
    assertThat(ssd.writeBackBytes() / ssd.bytesPerSecond())
        .isCloseTo(hdd.writeBackBytes() / hdd.bytesPerSecond(), ROUNDING);
    assertThat(4 * ssd.writeBackBytes() + 4 * hdd.writeBackBytes())
        .isCloseTo(0.2 * 20 * GIGABYTE / scale.ofBytes(), ROUNDING);
  }

  @Test
  void replicasAreAsFewAsRegions() {
    assertThat(scale.replicas(256)).isEqualTo(7);
    assertThat(scale.replicas(1)).isOne();
  }

  /** The part of a flush, about a block, equals the part of a 128 MB block in the story. */
  @Test
  void pagesAreDroppedAsSoonAsThere() {
    assertThat(16.0 * scale.dropLagBytes()).isCloseTo(scale.flushBytes(), within(16.0));
  }

  /** A RAM disk takes memory from the page cache. */
  @Test
  void ramDisksLeaveLittleForPages() {
    assertThat(pageCache(scale("1T_RAM_HDD", 64, true))).isCloseTo(20 * GIGABYTE, ROUNDING);
    assertThat(pageCache(scale("1T_HDD", 64, true))).isCloseTo(320 * GIGABYTE, ROUNDING);
    assertThat(pageCache(scale("1T_RAM_HDD", 64, false))).isCloseTo(200 * GIGABYTE, ROUNDING);
  }

  private static double pageCache(TierScale scale) {
    return scale.ofBytes() * scale.pageCacheBytes();
  }

  @Test
  void seeksLeaveDisksWhatTheyLeftThere() {
    VolumeSpeed disk = scale.speed(Tier.HDD);
    double written = disk.mergedBytes() / disk.bytesPerSecond();
    double sought = 1 / disk.operationsPerSecond();
    assertThat(written / (written + sought)).isBetween(0.82, 0.86);
  }

  @Test
  void packetsTakeDevicesAsLongAsThereUntilTheyAreSmall() {
    assertThat(scale("1T_SSD", 8, true).packetBytes()).isEqualTo(8192);
    assertThat(scale.packetBytes()).isEqualTo(4096);
  }
}
