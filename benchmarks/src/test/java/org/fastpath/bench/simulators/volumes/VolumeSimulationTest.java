package org.fastpath.bench.simulators.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures our policy on a simulated DataNode with eight disks. {@code -Dvolume.seed}, which is
 * printed, determines replicas and random choices. The limits allow for any seed.
 */
class VolumeSimulationTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long FAULT = MINUTE;
  private static final long REPAIR = 11 * MINUTE;
  private static final int DISKS = 8;
  private static final double RATE = 150e6;
  private static final long CAPACITY = 8L << 40;
  private static final long SEED = Long.getLong("volume.seed", System.nanoTime());

  /** A load at the disks' limit. */
  private static final SimulatedNode.Load FULL =
      new SimulatedNode.Load(4 * DISKS, 32 << 20, 96 << 20, 0);

  /** A load at half of the limit. */
  private static final SimulatedNode.Load HALF =
      new SimulatedNode.Load(2 * DISKS, 32 << 20, 96 << 20, 1.3 * SECOND);

  private SimulatedDisk[] disks;

  @BeforeEach
  void setUp() {
    System.out.println("volume.seed=" + SEED);
  }

  private SimulatedNode node(
      VolumeContenders policy, SimulatedNode.Load load, int odd, SpeedProfile profile) {
    disks = new SimulatedDisk[DISKS];
    for (int i = 0; i < DISKS; i++) {
      SpeedProfile own = i < odd ? profile : SpeedProfile.constant(1);
      disks[i] = new SimulatedDisk(RATE, own, CAPACITY, CAPACITY / 2);
    }
    return new SimulatedNode(policy, load, 0, SEED, disks);
  }

  private double share(int first, int end) {
    long all = Arrays.stream(disks).mapToLong(SimulatedDisk::writtenBytes).sum();
    return Arrays.stream(disks, first, end).mapToLong(SimulatedDisk::writtenBytes).sum()
        / (double) all;
  }

  /** Returns bytes per second with four disks at half speed. */
  private double throughput(VolumeContenders policy) {
    SimulatedNode node = node(policy, FULL, DISKS / 2, SpeedProfile.constant(0.5));
    node.runUntil(MINUTE);
    node.beginMeasuring();
    node.runUntil(6 * MINUTE);
    return node.writtenBytes() / 300.0;
  }

  @Test
  void fourOfEightAtHalfTheSpeedGetHalfAsMuch() {
    double ours = throughput(VolumeContenders.OURS);

    assertThat(share(0, DISKS / 2)).isBetween(0.31, 0.36);
    // A static weighting can at best keep all disks busy.
    assertThat(ours).isGreaterThan(0.95 * RATE * (DISKS / 2 + DISKS / 4));
    assertThat(ours).isGreaterThan(1.3 * throughput(VolumeContenders.ROUND_ROBIN));
  }

  /** Returns the 99th percentile of writes in ten minutes of a fault, in microseconds. */
  private long p99(VolumeContenders policy, double speed) {
    SpeedProfile profile = SpeedProfile.constant(1).then(FAULT, speed).then(REPAIR, 1);
    SimulatedNode node = node(policy, HALF, 1, profile);
    node.runUntil(FAULT);
    node.beginMeasuring();
    node.runUntil(REPAIR);
    node.abandonWrites(REPAIR);
    Histogram micros = node.micros().copy();
    if (policy == VolumeContenders.OURS && speed < 1) {
      assertThat(node.leftOutNanos()).as("noticed").isBetween(FAULT, FAULT + 10 * SECOND);
      node.runUntil(REPAIR + 5 * MINUTE);
      assertThat(node.lastLeftOutNanos()).as("returned").isLessThan(REPAIR + 3 * MINUTE);
    }
    return micros.getValueAtPercentile(99);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0})
  void clientsDoNotFeelOneOfEightThatFailsSlowly(double speed) {
    long healthy = p99(VolumeContenders.OURS, 1);
    assertThat(p99(VolumeContenders.OURS, speed)).isLessThan((long) (1.3 * healthy));
    assertThat(p99(VolumeContenders.ROUND_ROBIN, speed)).isGreaterThan(5 * healthy);
  }

  @Test
  void healthyDisksAreNotLeftOutForAnHour() {
    SimulatedNode node = node(VolumeContenders.OURS, HALF, 0, null);
    node.runUntil(60 * MINUTE);
    assertThat(node.exclusions()).isZero();
    for (int i = 0; i < DISKS; i++) {
      assertThat(share(i, i + 1)).isBetween(0.115, 0.135);
    }
  }

  @Test
  void aSlowDiskDoesNotComeAndGoForAnHour() {
    SimulatedNode node = node(VolumeContenders.OURS, HALF, 1, SpeedProfile.constant(0.1));
    node.runUntil(60 * MINUTE);
    // There is one probe a minute, and the disk is late with each.
    assertThat(node.probes()).isLessThan(80);
    assertThat(share(0, 1)).isLessThan(0.005);
  }

  @Test
  void allDisksSlowAreUsedAlike() {
    SpeedProfile profile = SpeedProfile.constant(1).then(FAULT, 0.1);
    SimulatedNode node = node(VolumeContenders.OURS, HALF, DISKS, profile);
    node.runUntil(30 * MINUTE);
    for (int i = 0; i < DISKS; i++) {
      assertThat(share(i, i + 1)).isBetween(0.1, 0.15);
    }
  }

  @Test
  void aNewEmptyDiskFillsFasterThanOthersButNotAlone() {
    disks = new SimulatedDisk[DISKS];
    for (int i = 0; i < DISKS; i++) {
      long capacity = 200L << 30;
      long used = i == 0 ? 0 : capacity * 3 / 4;
      disks[i] = new SimulatedDisk(RATE, SpeedProfile.constant(1), capacity, used);
    }
    SimulatedNode node = new SimulatedNode(VolumeContenders.OURS, HALF, 0, SEED, disks);
    node.runUntil(10 * MINUTE);
    long rest = disks[1].availableBytes();
    assertThat(share(0, 1)).isBetween(0.14, 0.23);
    assertThat(disks[0].availableBytes()).isGreaterThan(rest);
    assertThat((disks[0].availableBytes() - rest) / (double) (150L << 30)).isLessThan(0.95);
  }

  @ParameterizedTest
  @EnumSource(VolumeContenders.class)
  void sameSeedSameRun(VolumeContenders policy) {
    FailSlowShape shape = FailSlowShape.INTERMITTENT;
    assertThat(VolumeSimulation.simulate(policy, shape, 2, SEED))
        .isEqualTo(VolumeSimulation.simulate(policy, shape, 2, SEED))
        .satisfies(hour -> assertThat(hour.micros().getTotalCount()).isPositive())
        .satisfies(hour -> assertThat(hour.throughput()).isPositive())
        .satisfies(hour -> assertThat(hour.balance()).isGreaterThanOrEqualTo(1));
  }

  @Test
  void workIsDoneAtTheSpeedThatADiskHasMeanwhile() {
    SpeedProfile profile = SpeedProfile.constant(1).then(100, 0).then(200, 0.5);
    assertThat(profile.finish(0, 100)).isEqualTo(100);
    assertThat(profile.finish(50, 100)).isEqualTo(300);
    assertThat(profile.finish(150, 10)).isEqualTo(220);
    assertThat(profile.then(300, 0).finish(290, 100)).isEqualTo(SpeedProfile.NEVER);
  }
}
