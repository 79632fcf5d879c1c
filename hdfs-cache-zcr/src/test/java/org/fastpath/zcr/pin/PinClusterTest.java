package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fastpath.zcr.pin.FakeCluster.path;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pins of a small cluster, whatever happens to its servers, files, clocks and DataNodes. */
class PinClusterTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT = 10 * MIB;
  private static final int HALF_LIFE_SECONDS = 100;
  private static final int LEASE_SECONDS = 3_600;
  private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

  private final FakeCluster cluster = new FakeCluster(LIMIT, conf(1, LEASE_SECONDS));
  private final FakeNameNode nameNode = cluster.nameNode;

  private static Configuration conf(int interval, int lease) {
    Configuration conf = new Configuration(false);
    conf.set(PinOptions.REPLICATION, "1");
    conf.setInt(PinOptions.HALF_LIFE, HALF_LIFE_SECONDS);
    conf.setInt(PinOptions.INTERVAL, interval);
    conf.setInt(PinOptions.LEASE, lease);
    return conf;
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static OpenFile output(String region, String file, long length, PinPolicy policy) {
    return new OpenFile(path(region, file), length, path(region, file), region, policy, 0, false);
  }

  private static OpenFile file(FakeCluster.Server server, String region, String file) {
    return server.file(path(region, file));
  }

  @Test
  void theHottestFilesOfTheClusterArePinnedWhicheverServerReadsThem() throws IOException {
    FakeCluster.Server busy = cluster.server();
    FakeCluster.Server idle = cluster.server();
    for (int i = 0; i < 8; i++) {
      busy.open("busy", "file" + i, MIB, PinPolicy.AUTO);
      idle.open("idle", "file" + i, MIB, PinPolicy.AUTO);
    }
    cluster.round();
    for (int i = 0; i < 8; i++) {
      busy.read(path("busy", "file" + i), 9 * MIB);
      idle.read(path("idle", "file" + i), MIB);
    }
    cluster.rounds(2);
    assertThat(nameNode.pinned()).hasSize(9);
    assertThat(nameNode.pinned()).filteredOn(path -> path.contains("busy")).hasSize(8);
    assertThat(busy.shown().own()).hasSize(8);
    assertThat(idle.shown().own()).hasSize(1);
  }

  @Test
  void aDirectiveStaysWhenRegionServerAndCoordinatorChange() throws IOException {
    FakeCluster.Server one = cluster.server();
    FakeCluster.Server two = cluster.server();
    one.open("region", "file", MIB, PinPolicy.AUTO);
    cluster.round();
    one.read(path("region", "file"), MIB);
    cluster.round();
    assertThat(nameNode.pinned()).containsExactly(path("region", "file"));
    one.move("region", two);
    cluster.rounds(3);
    two.restart();
    cluster.rounds(3);
    cluster.elect();
    cluster.rounds(3);
    assertThat(nameNode.changes()).isEqualTo(1);
  }

  /** Between the server that closes it and the one that opens it, no server has the region. */
  @Test
  void theFilesOfARegionInTransitionStayPinnedForTenMinutes() throws IOException {
    FakeCluster.Server one = cluster.server();
    one.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.round();
    one.closeRegion("region");
    one.open("other", "file", MIB, PinPolicy.NEVER);
    cluster.rounds(590);
    assertThat(nameNode.changes()).isEqualTo(1);
    cluster.rounds(20);
    assertThat(nameNode.pinned()).isEmpty();
  }

  @Test
  void whatACompactionLeavesBehindIsUnpinnedAfterItsOutputWasPinned() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "a", 2 * MIB, PinPolicy.ALWAYS);
    server.open("region", "b", 2 * MIB, PinPolicy.ALWAYS);
    cluster.round();
    OpenFile output = output("region", "c", 4 * MIB, PinPolicy.ALWAYS);
    assertThat(server.succeed(output, file(server, "region", "a"), file(server, "region", "b")))
        .isTrue();
    cluster.rounds(3);
    assertThat(nameNode.pinned())
        .containsExactly(path("region", "a"), path("region", "b"), path("region", "c"));
    server.closeFile(path("region", "a"));
    server.closeFile(path("region", "b"));
    server.open("region", "c", 4 * MIB, PinPolicy.ALWAYS);
    cluster.round();
    assertThat(nameNode.pinned()).containsExactly(path("region", "c"));
    assertThat(nameNode.changes()).isEqualTo(5);
  }

  @Test
  void anOutputThatNeverComesIntoPlaceIsUnpinned() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "a", 2 * MIB, PinPolicy.ALWAYS);
    cluster.round();
    OpenFile output = output("region", "b", 2 * MIB, PinPolicy.ALWAYS);
    assertThat(server.succeed(output, file(server, "region", "a"))).isTrue();
    cluster.rounds(302);
    assertThat(nameNode.pinned()).containsExactly(path("region", "a"));
  }

  @Test
  void theOutputOfAnAutoTableIsPinnedIfMostOfItsInputsAre() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "hot", 2 * MIB, PinPolicy.AUTO);
    server.open("region", "cold", MIB, PinPolicy.AUTO);
    cluster.round();
    server.read(path("region", "hot"), 4 * MIB);
    cluster.rounds(2);
    OpenFile hot = file(server, "region", "hot");
    OpenFile cold = file(server, "region", "cold");
    assertThat(server.succeed(output("region", "no", MIB, PinPolicy.AUTO), cold)).isFalse();
    assertThat(server.succeed(output("region", "yes", 3 * MIB, PinPolicy.AUTO), hot, cold))
        .isTrue();
    assertThat(nameNode.pinned()).containsExactly(path("region", "hot"), path("region", "yes"));
  }

  @Test
  void theFileOfASplitParentIsUnpinnedWhenNoDaughterReadsItAnyLonger() throws IOException {
    FakeCluster.Server one = cluster.server();
    FakeCluster.Server two = cluster.server();
    one.open("parent", "file", MIB, PinPolicy.ALWAYS);
    cluster.round();
    one.closeRegion("parent");
    String parent = path("parent", "file");
    one.open("top", parent, path("top", "file.parent"), MIB, PinPolicy.ALWAYS, false);
    two.open("bottom", parent, path("bottom", "file.parent"), MIB, PinPolicy.ALWAYS, false);
    cluster.rounds(3);
    one.closeFile(path("top", "file.parent"));
    cluster.rounds(700);
    assertThat(nameNode.changes()).isEqualTo(1);
    two.closeFile(path("bottom", "file.parent"));
    cluster.rounds(610);
    assertThat(nameNode.pinned()).isEmpty();
  }

  /** The clone's readers say NEVER or are cold; the region that owns the file decides. */
  @Test
  void aCloneOnAnotherServerAddsHeatAndNothingElse() throws IOException {
    FakeCluster.Server owner = cluster.server();
    FakeCluster.Server cloner = cluster.server();
    owner.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.rounds(3);
    String link = path("clone", "table=region-file");
    cloner.open("clone", path("region", "file"), link, MIB, PinPolicy.NEVER, false);
    cluster.rounds(300);
    assertThat(nameNode.changes()).isEqualTo(1);
    assertThat(nameNode.pinned()).containsExactly(path("region", "file"));
  }

  @Test
  void aDeadDataNodeEndsNoLease() throws IOException {
    nameNode.lockable(LIMIT);
    FakeCluster.Server server = cluster.server();
    for (int i = 0; i < 9; i++) {
      server.open("region", "file" + i, MIB, PinPolicy.ALWAYS);
    }
    cluster.round();
    assertThat(nameNode.pinned()).hasSize(9);
    nameNode.lockable(LIMIT - 1);
    cluster.rounds(3 * LEASE_SECONDS);
    assertThat(nameNode.expired()).isZero();
    assertThat(nameNode.changes()).isEqualTo(9);
    assertThat(nameNode.renewals()).isBetween(4 * 9, 12 * 9);
  }

  /** A cluster that was filled in minutes must not send a day's renewals in minutes. */
  @Test
  void leasesThatBeganTogetherAreRenewedOneAfterTheOther() throws IOException {
    FakeCluster.Server server = cluster.server();
    for (int i = 0; i < 200; i++) {
      server.open("region" + i / 4, "file" + i, LIMIT / 400, PinPolicy.ALWAYS);
    }
    cluster.rounds(20);
    assertThat(nameNode.pinned()).hasSize(200);
    int most = 0;
    int rescans = nameNode.rescans();
    for (int i = 0; i < LEASE_SECONDS / 2; i++) {
      int before = nameNode.renewals();
      cluster.round();
      most = Math.max(most, nameNode.renewals() - before);
    }
    assertThat(nameNode.renewals()).isGreaterThanOrEqualTo(200);
    assertThat(nameNode.expired()).isZero();
    assertThat(most).as("renewals in a second").isLessThanOrEqualTo(5);
    assertThat(nameNode.rescans() - rescans)
        .as("at most one for a round's renewals")
        .isLessThanOrEqualTo(nameNode.renewals());
  }

  @Test
  void leasesGoOnWhileThePoolLetsNothingBePinned() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.round();
    nameNode.lockable(0);
    int refused = 0;
    for (int i = 0; i < 2 * LEASE_SECONDS; i++) {
      try {
        cluster.round();
      } catch (CachePoolException e) {
        assertThat(e).hasMessageContaining("may lock no memory");
        refused++;
        cluster.pass(1_000);
      }
    }
    assertThat(refused).isGreaterThan(LEASE_SECONDS);
    assertThat(nameNode.expired()).isZero();
    assertThat(nameNode.pinned()).hasSize(1);
    assertThat(server.shown().own()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-20, 0, 20})
  void leasesAreRenewedByTheNameNodesClock(int minutes) throws IOException {
    nameNode.skew(minutes * MINUTE);
    FakeCluster.Server server = cluster.server();
    server.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.rounds(LEASE_SECONDS / 2);
    cluster.elect();
    cluster.rounds(3 * LEASE_SECONDS);
    assertThat(nameNode.changes()).isEqualTo(1);
    assertThat(nameNode.expired()).isZero();
    // Every quarter to half of a lease, and every eighth to know the NameNode's time.
    assertThat(nameNode.renewals()).isBetween(7, 8 * 4);
  }

  /** The other NameNode of an HA pair has another clock. */
  @Test
  void aFailoverToANameNodeWithAnotherClockEndsNoLease() throws IOException {
    FakeCluster.Server server = cluster.server();
    for (int i = 0; i < 9; i++) {
      server.open("region", "file" + i, MIB, PinPolicy.ALWAYS);
    }
    for (int i = 0; i < 12; i++) {
      nameNode.skew(i % 2 == 0 ? 0 : 20 * MINUTE);
      nameNode.fail(true);
      assertThatThrownBy(cluster::round).isInstanceOf(IOException.class);
      nameNode.fail(false);
      cluster.rounds(1_000);
    }
    assertThat(nameNode.expired()).isZero();
    assertThat(nameNode.pinned()).hasSize(9);
    assertThat(nameNode.changes()).isEqualTo(9);
  }

  @Test
  void pinsOutliveACoordinatorThatIsAwayForTheLongerHalfOfALease() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.rounds(10 * LEASE_SECONDS / 4);
    cluster.pass(TimeUnit.SECONDS.toMillis(LEASE_SECONDS / 2 - 10));
    cluster.elect();
    cluster.rounds(10);
    assertThat(nameNode.changes()).isEqualTo(1);
    assertThat(nameNode.expired()).isZero();
  }

  @Test
  void pinsFollowReadsAndCompactionsWithoutAnHMaster() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "a", MIB, PinPolicy.ALWAYS);
    cluster.round();
    server.open("region", "b", MIB, PinPolicy.ALWAYS);
    server.closeFile(path("region", "a"));
    for (int i = 0; i < 2 * LEASE_SECONDS; i++) {
      cluster.roundWithoutMaster();
    }
    assertThat(nameNode.pinned()).contains(path("region", "b"));
    assertThat(nameNode.pinned()).as("not unpinned, and not renewed").hasSize(1);
  }

  /** One that pins by itself, as a server does that was not yet upgraded. */
  @Test
  void filesOfASilentServerAreLeftAloneAndCount() throws IOException {
    FakeCluster.Server old = cluster.server();
    FakeCluster.Server upgraded = cluster.server();
    for (int i = 0; i < 6; i++) {
      old.open("old", "file" + i, MIB, PinPolicy.ALWAYS);
    }
    cluster.round();
    cluster.elect();
    old.silent(true);
    for (int i = 0; i < 9; i++) {
      upgraded.open("new", "file" + i, MIB, PinPolicy.ALWAYS);
    }
    cluster.rounds(1_000);
    assertThat(nameNode.pinned()).filteredOn(path -> path.contains("/old/")).hasSize(6);
    assertThat(nameNode.pinned()).filteredOn(path -> path.contains("/new/")).hasSize(3);
    assertThat(nameNode.mostNeeded()).isLessThanOrEqualTo(LIMIT);
  }

  @Test
  void anErasureCodedFileIsNeverPinned() throws IOException {
    FakeCluster.Server server = cluster.server();
    String path = path("region", "striped");
    server.open("region", path, path, MIB, PinPolicy.ALWAYS, true);
    server.open("region", "plain", MIB, PinPolicy.ALWAYS);
    cluster.rounds(3);
    server.read(path, 100 * MIB);
    cluster.rounds(200);
    assertThat(nameNode.pinned()).containsExactly(path("region", "plain"));
  }

  /** A listing, or a change that does not say FORCE, has the NameNode rescan under its lock. */
  @Test
  void aRoundForcesOneRescanHoweverMuchItChanges() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "first", 1_000, PinPolicy.ALWAYS);
    cluster.rounds(2);
    int before = nameNode.rescans();
    for (int i = 0; i < 20; i++) {
      server.open("region", "file" + i, 1_000, PinPolicy.ALWAYS);
    }
    cluster.rounds(2);
    assertThat(nameNode.pinned()).hasSize(21);
    assertThat(nameNode.rescans() - before).isEqualTo(1);
  }

  @Test
  void aRoundWithoutChangesIsOneCall() throws IOException {
    FakeCluster.Server server = cluster.server();
    server.open("region", "file", MIB, PinPolicy.ALWAYS);
    cluster.rounds(10);
    int before = nameNode.calls();
    int rescans = nameNode.rescans();
    cluster.rounds(100);
    // So few directives are listed in each round.
    assertThat(nameNode.calls() - before).isBetween(100, 202);
    assertThat(nameNode.rescans()).isEqualTo(rescans);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theLimitHoldsForAllServersWhateverTheyDo(int run) throws IOException {
    long seed = Long.getLong("seed", 0x9E3779B97F4A7C15L * run);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      cluster.server();
    }
    for (int i = 0; i < 9; i++) {
      cluster.servers().get(i % 3).open("region" + i);
    }
    for (int i = 0; i < 2_000; i++) {
      step(random, i);
      for (FakeCluster.Server server : cluster.servers()) {
        for (OpenFile file : server.files()) {
          server.read(file.reader(), random.nextInt((int) (MIB / 4)));
        }
      }
    }
    assertThat(nameNode.mostNeeded()).isBetween(LIMIT / 2, LIMIT);
    settle();
    assertThat(nameNode.pinned()).doesNotHaveDuplicates();
  }

  private void step(Random random, int number) throws IOException {
    String region = "region" + random.nextInt(9);
    FakeCluster.Server server = cluster.servers().get(random.nextInt(3));
    FakeCluster.Server owner = cluster.owner(region);
    switch (random.nextInt(9)) {
      case 0 -> owner.open(region, "file" + number, 1 + random.nextInt(2 << 20), policy(random));
      case 1 -> owner.move(region, server);
      case 2 -> server.restart();
      case 3 -> compact(owner, region, "file" + number, random);
      case 4 -> closeSome(server, random);
      case 5 -> elect(random);
      default -> cluster.round();
    }
  }

  private void elect(Random random) {
    if (random.nextInt(10) == 0) {
      cluster.elect();
    }
  }

  private static void closeSome(FakeCluster.Server server, Random random) {
    for (OpenFile file : server.files()) {
      if (random.nextInt(8) == 0) {
        server.closeFile(file.reader());
      }
    }
  }

  private static PinPolicy policy(Random random) {
    return random.nextInt(3) == 0 ? PinPolicy.ALWAYS : PinPolicy.AUTO;
  }

  private void compact(FakeCluster.Server server, String region, String name, Random random)
      throws IOException {
    List<OpenFile> inputs =
        server.files().stream().filter(file -> file.region().equals(region)).toList();
    if (inputs.isEmpty()) {
      return;
    }
    long length = 1 + inputs.stream().mapToLong(OpenFile::length).sum() / 2;
    OpenFile output = output(region, name, length, inputs.get(0).policy());
    server.succeed(output, inputs.toArray(OpenFile[]::new));
    if (random.nextBoolean()) {
      cluster.round();
    }
    inputs.forEach(input -> server.closeFile(input.reader()));
    server.open(region, name, length, output.policy());
  }

  /** When files and reads stay as they are there is soon nothing left to change. */
  private void settle() throws IOException {
    cluster.rounds(7 * HALF_LIFE_SECONDS);
    int changes = nameNode.changes();
    cluster.rounds(20);
    assertThat(nameNode.changes()).isEqualTo(changes);
  }
}
