package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the choice of a volume by measurements. Time is the test's own; random numbers come from
 * {@code -Dvolume.seed}, which is printed.
 */
class VolumeChooserTest {
  private static final int VOLUMES = 8;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;
  private static final long BLOCK = 128 * TestVolume.MB;
  private static final long SEED = Long.getLong("volume.seed", System.nanoTime());
  private static final int PER_PROBE = VolumeChoiceOptions.defaults().choicesPerProbe();

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final TestVolume[] volumes = new TestVolume[VOLUMES];
  private VolumeGroup group;
  private VolumeChooser chooser;
  private long now = SECOND;

  @BeforeEach
  void setUp() {
    System.out.println("volume.seed=" + SEED);
    Arrays.setAll(volumes, any -> new TestVolume());
    group = group(volumes);
    chooser = new VolumeChooser(VolumeChoiceOptions.defaults(), () -> now, () -> random.nextLong());
  }

  private static VolumeGroup group(TestVolume... volumes) {
    return new VolumeGroup(
        Arrays.stream(volumes).map(volume -> volume.load).toArray(VolumeLoad[]::new));
  }

  /** All volumes write for some seconds; a write of one takes so many milliseconds. */
  private void write(int seconds, long... millis) {
    for (int tenth = 0; tenth < 10 * seconds; tenth++) {
      now += 100 * MILLI;
      for (int i = 0; i < volumes.length; i++) {
        long took = millis[Math.min(i, millis.length - 1)] * MILLI;
        for (long end = now - 99 * MILLI + took; end <= now; end += took) {
          volumes[i].write(end, took);
        }
      }
      chooser.rank(group);
    }
  }

  private int[] choose(int times) {
    int[] chosen = new int[volumes.length];
    for (int i = 0; i < times; i++) {
      chosen[chooser.choose(group, BLOCK)]++;
    }
    return chosen;
  }

  @Test
  void volumesTakeTurnsWhileNothingIsMeasured() {
    VolumeLoad[] loads = new VolumeLoad[VOLUMES];
    Arrays.setAll(loads, i -> new VolumeLoad(volumes[i], false));
    group = new VolumeGroup(loads);
    assertThat(choose(10 * VOLUMES)).containsOnly(10);
    assertThat(IntStream.range(0, VOLUMES).map(i -> chooser.choose(group, BLOCK)))
        .containsExactly(IntStream.range(0, VOLUMES).boxed().toArray(Integer[]::new));
  }

  @Test
  void sharesAreInProportionToSpeed() {
    write(10, 10, 10, 10, 10, 5, 5, 5, 5);
    int[] chosen = choose(30_000);
    int slow = chosen[0] + chosen[1] + chosen[2] + chosen[3];
    assertThat(slow).isBetween(9_300, 10_700);
    assertThat(chosen[7]).isBetween(4_600, 5_400);
  }

  /** A megabyte of each writer in a tenth of a second, as the controller lets all write alike. */
  private void writeBehindOneController(int seconds, int... writers) {
    for (int tenth = 0; tenth < 10 * seconds; tenth++) {
      for (int i = 0; i < VOLUMES; i++) {
        for (int writer = 0; writer < writers[i]; writer++) {
          volumes[i].load.transfers().begin(now + MILLI);
        }
      }
      now += 100 * MILLI;
      for (int i = 0; i < VOLUMES; i++) {
        for (int writer = 0; writer < writers[i]; writer++) {
          volumes[i].load.transfers().end(now - MILLI, TestVolume.MB);
        }
      }
      chooser.rank(group);
    }
  }

  @Test
  void whoHasMoreWritersIsNoFasterBehindOneController() {
    writeBehindOneController(10, 3, 1, 1, 2, 2, 1, 1, 1);
    assertThat(Arrays.stream(volumes))
        .allSatisfy(volume -> assertThat(volume.load.slowness()).isBetween(0.95, 1.05));
    assertThat(Arrays.stream(choose(8_000)))
        .allSatisfy(times -> assertThat(times).isBetween(990, 1_010));
  }

  @Test
  void whoHasFewerWritersIsNoSlowerBehindOneController() {
    writeBehindOneController(10, 1, 3, 3, 3, 3, 3, 3, 3);
    assertThat(volumes[0].load.slowness()).isBetween(0.95, 1.05);
    assertThat(volumes[0].load.condition()).isEqualTo(VolumeCondition.HEALTHY);
  }

  @Test
  void volumesThatDifferLittleGetTheSame() {
    write(10, 10, 11, 9, 10);
    assertThat(Arrays.stream(choose(8_000)))
        .allSatisfy(times -> assertThat(times).isBetween(990, 1_010));
  }

  /** Up to a block long, as it turns out when they are written; one after the other. */
  @Test
  void bytesOfReplicasThatDifferEvenOut() {
    write(10, 5);
    long[] bytes = new long[VOLUMES];
    for (int i = 0; i < 4_000; i++) {
      int chosen = chooser.choose(group, BLOCK);
      long length = 1 + random.nextLong(BLOCK);
      long took = 5 * MILLI * length / TestVolume.MB;
      now += took;
      volumes[chosen].write(now, took, length);
      bytes[chosen] += length;
    }
    double mean = Arrays.stream(bytes).average().orElseThrow();
    assertThat(Arrays.stream(bytes))
        .allSatisfy(each -> assertThat(each / mean).isBetween(0.98, 1.02));
  }

  @Test
  void whoIsFarBehindGetsTwiceItsShare() {
    write(10, 5);
    for (int i = 1; i < VOLUMES; i++) {
      volumes[i].load.share().chosen(1L << 50);
    }
    assertThat(choose(8_000)[0]).isBetween(1_850, 2_150);
  }

  @Test
  void theShorterQueueIsTaken() {
    write(10, 5);
    volumes[3].inFlight = 50 * BLOCK;
    for (int i = 0; i < VOLUMES; i++) {
      volumes[i].inFlight += BLOCK;
    }
    assertThat(choose(10_000)[3]).isZero();
  }

  @Test
  void aQueueIsAsLongAsItsVolumeIsSlow() {
    write(10, 5, 15, 5);
    Arrays.stream(volumes).forEach(volume -> volume.inFlight = 2 * BLOCK);
    volumes[1].inFlight = BLOCK;
    assertThat(choose(10_000)[1]).as("a byte there takes three times as long").isZero();
    volumes[1].inFlight = BLOCK / 2;
    assertThat(choose(10_000)[1]).isPositive();
  }

  /**
   * Ten replicas of 8 MB a second, each open for 0.2 seconds. The block of a log is always open and
   * sometimes written.
   */
  @Test
  void aLogThatHasABlockOpenDoesNotKeepOthersAway() {
    write(10, 5);
    volumes[3].inFlight = 2 * BLOCK;
    int[] open = {-1, -1};
    int chosen = 0;
    for (int tenth = 0; tenth < 4_000; tenth++) {
      now += 100 * MILLI;
      if (open[tenth % 2] >= 0) {
        volumes[open[tenth % 2]].inFlight -= BLOCK;
        volumes[open[tenth % 2]].write(now, 40 * MILLI, 8 * TestVolume.MB);
      }
      volumes[3].write(now, MILLI / 2, TestVolume.MB / 10);
      chooser.rank(group);
      open[tenth % 2] = chooser.choose(group, BLOCK);
      volumes[open[tenth % 2]].inFlight += BLOCK;
      chosen += open[tenth % 2] == 3 ? 1 : 0;
    }
    assertThat(chosen).isBetween(400, 600);
  }

  @Test
  void whatWasJustReservedIsInTheQueue() {
    write(10, 5);
    now += 60 * SECOND;
    volumes[3].inFlight = 4 * BLOCK;
    assertThat(choose(VOLUMES * VOLUMES)[3]).isZero();
  }

  /** A log with a large block, two writers that always wait for the volume, and one for a tenth. */
  @Test
  void ofWhatIsReservedForLongOnlyWritersAtWorkCount() {
    write(10, 5);
    Arrays.stream(volumes).forEach(volume -> volume.inFlight = 8 * BLOCK);
    volumes[1].load.transfers().begin(now);
    volumes[1].load.controls().begin(now);
    for (int tenth = 0; tenth < 600; tenth++) {
      now += 100 * MILLI;
      volumes[2].write(now, 10 * MILLI);
      chooser.rank(group);
    }
    assertThat(volumes[0].load.queuedBytes(BLOCK)).isLessThan(BLOCK / 100.0);
    assertThat(volumes[1].load.queuedBytes(BLOCK)).isBetween(1.9 * BLOCK, 2.1 * BLOCK);
    assertThat(volumes[2].load.queuedBytes(BLOCK)).isBetween(0.09 * BLOCK, 0.11 * BLOCK);
  }

  /** Like two logs that are longer than their reservation. */
  @Test
  void whoWritesNowIsInTheQueueIfNothingIsReserved() {
    write(10, 5);
    ServiceMeter logs = volumes[1].load.transfers();
    logs.begin(now);
    logs.begin(now);
    for (int tenth = 0; tenth < 600; tenth++) {
      now += 100 * MILLI;
      chooser.rank(group);
    }
    assertThat(volumes[1].load.queuedBytes(BLOCK)).as("half of each").isEqualTo(BLOCK);
    volumes[1].inFlight = BLOCK / 4;
    assertThat(volumes[1].load.queuedBytes(BLOCK)).isEqualTo(BLOCK);
    volumes[1].inFlight = 3 * BLOCK / 2;
    assertThat(volumes[1].load.queuedBytes(BLOCK)).as("reserved").isEqualTo(1.5 * BLOCK);
    volumes[1].inFlight = 0;
    logs.end(now, 0);
    logs.end(now, 0);
    assertThat(volumes[1].load.queuedBytes(BLOCK)).as("nobody writes now").isZero();
  }

  @Test
  void whereNothingIsMeasuredAllThatIsReservedIsTheQueue() {
    VolumeLoad load = new VolumeLoad(volumes[0], false);
    volumes[0].inFlight = BLOCK;
    load.observe(now, VolumeChoiceOptions.defaults());
    load.observe(now + 9 * SECOND, VolumeChoiceOptions.defaults());
    assertThat(load.queuedBytes(1)).isEqualTo(BLOCK);
  }

  @Test
  void aMuchSlowerOneGetsProbesOnlyAndComesBack() {
    write(10, 5, 5, 50, 5);
    assertThat(volumes[2].load.condition()).isEqualTo(VolumeCondition.SLOW);
    assertThat(volumes[2].load.slowExclusionCount()).isOne();

    now += 60 * SECOND;
    assertThat(choose(PER_PROBE / 13)[2]).as("one of so many at most").isZero();
    int[] chosen = choose(PER_PROBE * 10);
    assertThat(chosen[2]).as("one probe, until it is judged").isOne();
    assertThat(volumes[2].load.probeCount()).isOne();

    write(5, 5);
    assertThat(volumes[2].load.condition()).isEqualTo(VolumeCondition.HEALTHY);
    assertThat(choose(8_000)[2]).isBetween(800, 1_200);
  }

  @Test
  void aBusyVolumeThatBecomesSlowIsNoticedHoweverMuchItWroteBefore() {
    write(60, 5);
    write(4, 5, 5, 50, 5);
    assertThat(volumes[2].load.condition()).isEqualTo(VolumeCondition.SLOW);
    assertThat(choose(PER_PROBE / 13)[2]).isZero();
  }

  /** As disks whose files are compacted are, which then are as fast as ever and not asked. */
  @Test
  void volumesThatAreSlowOneAfterTheOtherDoNotEmptyTheirNode() {
    write(10, 5);
    for (int slow = 0; slow < 6; slow++) {
      long[] took = new long[VOLUMES];
      Arrays.fill(took, 5);
      took[slow] = 50;
      write(4, took);
    }
    for (int i = 0; i < VOLUMES; i++) {
      assertThat(volumes[i].load.condition())
          .as("volume %d", i)
          .isEqualTo(2 <= i && i < 6 ? VolumeCondition.SLOW : VolumeCondition.HEALTHY);
    }
    write(2, 5);
    int[] chosen = choose(8_000);
    assertThat(IntStream.of(0, 1, 6, 7).map(i -> chosen[i]))
        .allSatisfy(times -> assertThat(times).isGreaterThan(1_500));
  }

  @Test
  void aHiccupOfABusyVolumeIsNoFaultAndOneAfterTheOtherAre() {
    write(10, 5);
    hiccup(3, 900);
    write(1, 5);
    hiccup(3, 900);
    assertThat(volumes[3].load.slowExclusionCount()).isZero();
    hiccup(3, 900);
    assertThat(volumes[3].load.condition()).isEqualTo(VolumeCondition.SLOW);
  }

  /** One write of a volume takes so long, while the others write as they do. */
  private void hiccup(int volume, long millis) {
    volumes[volume].load.transfers().begin(now + SECOND - millis * MILLI);
    long[] took = new long[VOLUMES];
    Arrays.fill(took, 5);
    took[volume] = SECOND;
    write(1, took);
    volumes[volume].load.transfers().end(now, TestVolume.MB);
    now += 100 * MILLI;
    chooser.rank(group);
  }

  /** Megabytes that each volume gets in a tenth of a second; memory takes them all but one's. */
  private void writeIntoMemory(int tenths, int heldUp, double megabytes, double heldUpMegabytes) {
    for (int tenth = 0; tenth < tenths; tenth++) {
      now += 100 * MILLI;
      for (int i = 0; i < VOLUMES; i++) {
        if (i == heldUp) {
          volumes[i].write(now, 95 * MILLI, (long) (heldUpMegabytes * TestVolume.MB));
        } else {
          volumes[i].writeIntoMemory(now, (long) (megabytes * TestVolume.MB));
        }
      }
      chooser.rank(group);
    }
  }

  @Test
  void whoIsTheFirstWhosePagesAreDirtyIsNotSlow() {
    writeIntoMemory(100, 4, 6, 10);
    assertThat(volumes[4].load.condition()).isEqualTo(VolumeCondition.HEALTHY);
    assertThat(Arrays.stream(choose(8_000)))
        .allSatisfy(times -> assertThat(times).isBetween(990, 1_010));
  }

  @Test
  void whoIsHeldUpWithLessThanOthersTakeIsSlow() {
    writeIntoMemory(100, 4, 6, 2);
    assertThat(volumes[4].load.condition()).isEqualTo(VolumeCondition.HEALTHY);
    assertThat(choose(8_000)[4]).as("a third of a share").isBetween(370, 480);
    writeIntoMemory(100, 4, 6, 0.6);
    assertThat(volumes[4].load.condition()).isEqualTo(VolumeCondition.SLOW);
    assertThat(choose(8_000)[4]).isLessThan(2);
  }

  @Test
  void aFirstProbeDoesNotWaitForManyChoices() {
    write(10, 5, 5, 50, 5);
    now += 6 * SECOND;
    chooser.rank(group);
    assertThat(choose(PER_PROBE / 8)[2]).isOne();
  }

  @Test
  void aProbeThatIsSlowAgainDoublesTheTimeToTheNextOne() {
    write(10, 50, 5);
    long last = 0;
    for (int probes = 1; probes <= 6; probes++) {
      long begin = now;
      for (int i = 0; i < 100 && volumes[0].load.probeCount() < probes; i++) {
        choose(PER_PROBE);
        write(1, 50, 5);
      }
      assertThat(volumes[0].load.probeCount()).isEqualTo(probes);
      if (probes > 1) {
        assertThat(now - begin)
            .isBetween(Math.min(2 * last, 50 * SECOND) - 3 * SECOND, 70 * SECOND);
      }
      last = now - begin;
      assertThat(volumes[0].load.isEligible()).isFalse();
    }
  }

  @Test
  void oneThatIsStuckIsLeftOutAfterASecondAndBackWhenItMoves() {
    write(10, 5);
    volumes[5].load.transfers().begin(now);
    now += 900 * MILLI;
    chooser.rank(group);
    assertThat(volumes[5].load.isStalled()).isFalse();
    now += 200 * MILLI;
    assertThat(choose(1_000)[5]).isZero();
    assertThat(volumes[5].load.stallCount()).isOne();

    volumes[5].load.transfers().end(now, TestVolume.MB);
    now += 100 * MILLI;
    chooser.rank(group);
    assertThat(volumes[5].load.isStalled()).isFalse();
  }

  @Test
  void allSlowAreNone() {
    write(10, 5);
    write(30, 90);
    assertThat(volumes).allMatch(volume -> volume.load.isEligible());
    assertThat(Arrays.stream(choose(8_000)).boxed().toList()).allMatch(times -> times > 700);
  }

  @Test
  void ifAllAreStuckAllAreUsed() {
    write(10, 5);
    Arrays.stream(volumes).forEach(volume -> volume.load.transfers().begin(now));
    now += 5 * SECOND;
    chooser.rank(group);
    assertThat(volumes).noneMatch(volume -> volume.load.isEligible());
    assertThat(Arrays.stream(choose(8_000)).boxed().toList()).allMatch(times -> times > 700);
  }

  @Test
  void allButOneFailing() {
    write(10, 5);
    for (int i = 1; i < VOLUMES; i++) {
      for (int error = 0; error < 3; error++) {
        volumes[i].load.statistics().error();
      }
    }
    now += 100 * MILLI;
    int[] chosen = choose(PER_PROBE - 1);
    assertThat(chosen[0]).isEqualTo(PER_PROBE - 1);

    volumes[0].available = 0;
    assertThat(choose(100)[0]).as("one that fails is better than none").isZero();
  }

  @Test
  void oneThatFailsComesBackWithAProbeThatDoesNot() {
    write(10, 5);
    for (int error = 0; error < 3; error++) {
      volumes[0].load.statistics().error();
    }
    write(5, 5);
    assertThat(volumes[0].load.condition()).isEqualTo(VolumeCondition.ERRING);
    choose(PER_PROBE);
    volumes[0].load.statistics().error();
    write(2, 5);
    assertThat(volumes[0].load.condition()).isEqualTo(VolumeCondition.ERRING);
    write(10, 5);
    choose(PER_PROBE);
    write(2, 5);
    assertThat(volumes[0].load.condition()).isEqualTo(VolumeCondition.HEALTHY);
  }

  @Test
  void whoHasNoRoomIsNotChosen() {
    write(10, 5);
    for (int i = 0; i < VOLUMES - 1; i++) {
      volumes[i].available = BLOCK;
    }
    assertThat(choose(100)[VOLUMES - 1]).isEqualTo(100);
    volumes[VOLUMES - 1].available = 0;
    assertThat(chooser.choose(group, BLOCK)).isEqualTo(VolumeChooser.NONE);
    assertThat(chooser.choose(group, BLOCK - 1)).isNotEqualTo(VolumeChooser.NONE);
  }

  @Test
  void anExcludedVolumeIsChosenIfOnlyItHasRoom() {
    write(10, 50, 5);
    for (int i = 1; i < VOLUMES; i++) {
      volumes[i].available = 0;
    }
    assertThat(choose(100)[0]).isEqualTo(100);
  }

  @Test
  void aDiskThatFillsUpInMidChoiceIsPassedOver() {
    TestVolume filling = volumes[2];
    write(10, 5);
    for (int i = 0; i < 1_000; i++) {
      filling.available = i % 2 == 0 ? 0 : BLOCK * 2;
      assertThat(chooser.choose(group, BLOCK)).isNotNegative();
    }
    filling.available = 0;
    assertThat(choose(1_000)[2]).isZero();
  }

  @Test
  void aNewEmptyDiskGetsMoreButNoFlood() {
    write(10, 5);
    for (int i = 0; i < VOLUMES - 1; i++) {
      volumes[i].available = 100 * BLOCK;
    }
    volumes[VOLUMES - 1].available = 100_000 * BLOCK;
    choose(100);
    write(1, 5);
    int[] chosen = choose(9_000);
    assertThat(chosen[VOLUMES - 1]).isBetween(1_800, 2_200);
  }

  /** Each replica that is written has one deleted, any of them. */
  @Test
  void freeSpaceConvergesWhereReplicasComeAndGo() {
    write(10, 5);
    long capacity = 1_000;
    long[] used = new long[VOLUMES];
    Arrays.fill(used, 800);
    used[0] = 0;
    long total = Arrays.stream(used).sum();
    for (long i = 0; i < 5 * total; i++) {
      now += 10 * MILLI;
      for (int volume = 0; volume < VOLUMES; volume++) {
        volumes[volume].available = (capacity - used[volume]) * BLOCK;
      }
      int chosen = chooser.choose(group, BLOCK);
      used[chosen]++;
      long deleted = random.nextLong(total + 1);
      int from = 0;
      for (; deleted >= used[from]; from++) {
        deleted -= used[from];
      }
      used[from]--;
    }
    assertThat(Arrays.stream(used))
        .allSatisfy(each -> assertThat((double) each * VOLUMES / total).isBetween(0.85, 1.15));
  }

  @Test
  void anHourInWhichTheMachineSleptIsNoEvidence() {
    write(10, 5);
    volumes[0].load.transfers().begin(now);
    now += 3600 * SECOND;
    chooser.rank(group);
    assertThat(volumes[0].load.isStalled()).isTrue();
    volumes[0].load.transfers().end(now, TestVolume.MB);
    write(1, 5);
    assertThat(volumes[0].load.isEligible()).isTrue();
    assertThat(volumes[0].load.slowExclusionCount()).isZero();
  }

  @Test
  void aClockThatGoesBackKeepsNobodyOut() {
    now += 7200 * SECOND;
    write(10, 50, 5);
    now -= 3600 * SECOND;
    write(10, 5);
    for (int i = 0; i < 200 && !volumes[0].load.isEligible(); i++) {
      choose(PER_PROBE);
      write(1, 5);
    }
    assertThat(volumes[0].load.isEligible()).isTrue();
  }

  @Test
  void aHiccupOfAnIdleVolumeIsNoFault() {
    write(10, 5);
    now += 60 * SECOND;
    volumes[0].write(now, 300 * MILLI);
    chooser.rank(group);
    assertThat(volumes[0].load.isEligible()).isTrue();
  }

  @Test
  void aLogThatIsSyncedDoesNotMakeItsVolumeSlow() {
    for (int tenth = 0; tenth < 300; tenth++) {
      now += 100 * MILLI;
      for (int i = 0; i < VOLUMES; i++) {
        volumes[i].write(now - 90 * MILLI, 5 * MILLI);
        int syncs = i == 0 ? 8 : 1;
        for (int sync = 0; sync < syncs && (i == 0 || tenth % 10 == 0); sync++) {
          volumes[i].load.controls().begin(now - 80 * MILLI + sync * 10 * MILLI);
          volumes[i].load.controls().end(now - 71 * MILLI + sync * 10 * MILLI, 1);
        }
      }
      chooser.rank(group);
    }
    assertThat(volumes[0].load.slowness()).isBetween(0.7, 1.5);
  }

  @Test
  void aDeviceThatOthersKeepBusyGetsLess() {
    for (int second = 0; second < 20; second++) {
      write(1, 5);
      for (int i = 0; i < VOLUMES; i++) {
        volumes[i].load.statistics().device(SECOND / 2, (i == 0 ? 25 : 75) * TestVolume.MB);
      }
    }
    int[] chosen = choose(22_000);
    assertThat(chosen[0]).isBetween(900, 1_500);
  }

  /** A thread reads the clock, another one ranks, and then the first one goes on. */
  @Test
  void aPreemptedThreadDoesNotRankWithAnOlderClock() {
    write(10, 5);
    volumes[3].inFlight = 8 * BLOCK;
    volumes[3].load.transfers().begin(now);
    write(20, 5);
    double queued = volumes[3].load.queuedBytes(BLOCK);
    assertThat(queued).isPositive();
    AtomicBoolean preempt = new AtomicBoolean(true);
    VolumeChooser preempted =
        new VolumeChooser(
            VolumeChoiceOptions.defaults(),
            () -> {
              long read = now;
              if (preempt.getAndSet(false)) {
                now += 150 * MILLI;
                chooser.rank(group);
              }
              return read;
            },
            random::nextLong);
    preempted.choose(group, BLOCK);
    assertThat(preempt).isFalse();
    assertThat(volumes[3].load.queuedBytes(BLOCK)).isCloseTo(queued, withPercentage(5));
  }

  @Test
  void theSameSeedMakesTheSameChoices() {
    write(10, 5, 7, 9, 11);
    int[][] runs = new int[2][1_000];
    for (int[] run : runs) {
      SplittableRandom seeded = new SplittableRandom(SEED);
      VolumeGroup fresh = group(volumes);
      VolumeChooser same =
          new VolumeChooser(VolumeChoiceOptions.defaults(), () -> now, seeded::nextLong);
      Arrays.setAll(run, any -> same.choose(fresh, 0));
    }
    assertThat(runs[0]).isEqualTo(runs[1]);
  }
}
