package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.fastpath.zcr.pin.FakeCluster.path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A large cluster: 300 RegionServers, 10,000 regions of four files, and room for 30,000 of them;
 * default intervals. Reads follow a Zipf distribution, regions compact, move and become hot.
 * Meanwhile a DataNode dies, a table is cloned, a server dies, and the coordinator changes twice.
 * The NameNode's clock is 20 minutes ahead, then right, then behind. Counts are bounded, not times.
 * A quarter of that cluster runs for two hours in each build; all of it for a day with {@code
 * -Dnightly=true}. No hot file stays unpinned for longer than 20 minutes.
 */
class PinSimulationTest {
  private static final int FILES = 4;
  private static final long LENGTH = 1L << 30;
  private static final int INTERVAL_SECONDS = 30;
  private static final int ROUNDS_PER_HOUR = 3_600 / INTERVAL_SECONDS;
  private static final double RESERVE = 0.1;
  private static final long MAX_MISSING_MILLIS = TimeUnit.MINUTES.toMillis(20);

  private final long seed = Long.getLong("seed", 4711);
  private final Random random = new Random(seed);
  private final List<String> regions = new ArrayList<>();
  private final List<Double> rates = new ArrayList<>();
  private FakeCluster cluster;
  private FakeNameNode nameNode;
  private Size size;

  /**
   * How large a cluster is, and how much happens in it.
   *
   * @param scale by how much it is smaller than the large one
   */
  private record Size(int scale) {
    int servers() {
      return 300 / scale;
    }

    int regions() {
      return 10_000 / scale;
    }

    int room() {
      return 30_000 / scale;
    }

    long limit() {
      return (long) (room() * LENGTH / (1 - RESERVE));
    }

    /** In an hour; each writes four files in the place of four. */
    int compactions() {
      return 480 / scale;
    }

    int moves() {
      return 240 / scale;
    }

    /** The time of the first fill at 20 changes a second, with a margin. */
    int fillRounds() {
      return room() / (20 * INTERVAL_SECONDS) + 5;
    }

    /** Of 6,600 hot files, 320 are written an hour and have yet to be read. */
    int mostMissing() {
      return 120 / scale;
    }
  }

  private final Map<String, Long> missingSince = new HashMap<>();
  private long longestMissing;
  private int mostMissing;
  private int files;

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set(PinOptions.REPLICATION, "1");
    conf.setInt(PinOptions.INTERVAL, INTERVAL_SECONDS);
    return conf;
  }

  @AfterEach
  void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private void build() {
    System.out.println("seed " + seed);
    cluster = new FakeCluster(size.limit(), conf());
    nameNode = cluster.nameNode;
    for (int i = 0; i < size.servers(); i++) {
      cluster.server();
    }
    for (int i = 0; i < size.regions(); i++) {
      String region = String.format(Locale.ROOT, "%032x", i * 0x9E3779B97F4A7C15L);
      regions.add(region);
      rates.add(LENGTH / Math.sqrt(1 + i));
      FakeCluster.Server server = cluster.servers().get(i % size.servers());
      for (int j = 0; j < FILES; j++) {
        server.open(region, newFile(), LENGTH, PinPolicy.AUTO);
      }
    }
    nameNode.lockable(size.limit());
  }

  private String newFile() {
    return String.format(Locale.ROOT, "%032x", files++ * 0xD1342543DE82EF95L);
  }

  private void readRound() {
    for (int i = 0; i < size.regions(); i++) {
      String region = regions.get(i);
      long bytes = (long) (rates.get(i) * (0.9 + 0.2 * random.nextDouble()));
      cluster.owner(region).readRegion(region, bytes);
    }
  }

  private void round() throws IOException {
    readRound();
    for (int i = 0; i < size.compactions() / ROUNDS_PER_HOUR; i++) {
      compact(random.nextInt(size.regions()));
    }
    if (random.nextInt(ROUNDS_PER_HOUR) < size.moves()) {
      move(random.nextInt(size.regions()));
    }
    cluster.round();
  }

  private void move(int number) {
    List<FakeCluster.Server> servers = cluster.servers();
    cluster
        .owner(regions.get(number))
        .move(regions.get(number), servers.get(random.nextInt(servers.size())));
  }

  private void compact(int number) {
    String region = regions.get(number);
    FakeCluster.Server server = cluster.owner(region);
    List<String> inputs = new ArrayList<>(server.readers(region));
    inputs.forEach(server::closeFile);
    for (int i = 0; i < FILES; i++) {
      server.open(region, newFile(), LENGTH, PinPolicy.AUTO);
    }
  }

  private void rounds(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      round();
    }
  }

  /** A table's 50 regions are cloned: other servers read the same files by links. */
  private void cloneTable() {
    for (int i = 0; i < 50; i++) {
      String region = regions.get(i);
      FakeCluster.Server owner = cluster.owner(region);
      FakeCluster.Server reader = cluster.servers().get((i + 7) % size.servers());
      for (String file : owner.readers(region)) {
        String link = path("clone" + i, "table=" + region + "-" + file.hashCode());
        reader.open("clone" + i, file, link, LENGTH, PinPolicy.NEVER, false);
      }
    }
  }

  private void killServer() {
    List<FakeCluster.Server> servers = cluster.servers();
    FakeCluster.Server dead = servers.get(random.nextInt(servers.size()));
    for (String region : dead.regions()) {
      if (region.startsWith("clone")) {
        dead.closeRegion(region);
      } else {
        FakeCluster.Server heir = servers.get(random.nextInt(servers.size()));
        dead.move(region, heir == dead ? servers.get(0) : heir);
      }
    }
    dead.die();
  }

  /**
   * Returns files with more than twice the reads of the coldest one that fits. A pinned file counts
   * twice its worth, so other files may wait for free room.
   */
  private Set<String> hottest() {
    Set<String> hot = new HashSet<>();
    for (int i = 0; i < size.regions() / 6; i++) {
      String region = regions.get(i);
      hot.addAll(cluster.owner(region).readers(region));
    }
    return hot;
  }

  /** A hot file is pinned soon after its region has compacted or moved. */
  private void requireServed() {
    Set<String> missing = hottest();
    nameNode.pinned().forEach(missing::remove);
    missingSince.keySet().retainAll(missing);
    missing.forEach(path -> missingSince.putIfAbsent(path, cluster.now()));
    assertThat(missing.size())
        .as("hot files that are not pinned now")
        .isLessThan(size.mostMissing());
    for (long since : missingSince.values()) {
      longestMissing = Math.max(longestMissing, cluster.now() - since);
    }
    mostMissing = Math.max(mostMissing, missing.size());
    assertThat(longestMissing)
        .as("for how long a hot file was not pinned")
        .isLessThanOrEqualTo(MAX_MISSING_MILLIS);
  }

  private void run(int scale, int periods, int roundsPerPeriod) throws IOException {
    size = new Size(scale);
    build();
    nameNode.skew(TimeUnit.MINUTES.toMillis(20));
    rounds(size.fillRounds());
    System.out.printf(Locale.ROOT, "%d calls for the first fill%n", nameNode.calls());
    requireServed();
    assertThat(nameNode.pinned().size()).isBetween((int) (size.room() * 0.95), size.room());
    int rounds = nameNode.calls();
    for (int period = 0; period < periods; period++) {
      Counts before = new Counts(nameNode);
      event(period % 8);
      for (int part = 0; part < roundsPerPeriod / 10; part++) {
        rounds(10);
        requireServed();
      }
      Counts counts = new Counts(nameNode).since(before);
      double hours = (double) roundsPerPeriod / ROUNDS_PER_HOUR;
      System.out.printf(
          Locale.ROOT,
          "period %d: %.2f calls/s, %.0f changes/h, %.0f forced rescans/h, %.0f renewals/h%n",
          period,
          counts.calls / (hours * 3_600),
          counts.changes / hours,
          counts.rescans / hours,
          counts.renewals / hours);
      requireBounded(counts, hours);
    }
    assertThat(nameNode.calls()).isGreaterThan(rounds);
    System.out.printf(
        Locale.ROOT,
        "hot files that were not pinned: %d at most at once, none for longer than %d s%n",
        mostMissing,
        TimeUnit.MILLISECONDS.toSeconds(longestMissing));
    assertThat(nameNode.expired()).isZero();
    assertThat(nameNode.mostNeeded()).isLessThanOrEqualTo(size.limit());
  }

  private record Counts(int calls, int changes, int rescans, int renewals) {
    Counts(FakeNameNode nameNode) {
      this(nameNode.calls(), nameNode.changes(), nameNode.rescans(), nameNode.renewals());
    }

    Counts since(Counts before) {
      return new Counts(
          calls - before.calls,
          changes - before.changes,
          rescans - before.rescans,
          renewals - before.renewals);
    }
  }

  private void event(int number) {
    switch (number) {
      case 0 -> nameNode.lockable(size.limit() - size.limit() / size.servers());
      case 1 -> cloneTable();
      case 2 -> killServer();
      case 3 -> cluster.elect();
      case 4 -> nameNode.skew(0);
      case 5 -> nameNode.lockable(size.limit());
      case 6 -> nameNode.skew(TimeUnit.MINUTES.toMillis(-20));
      default -> cluster.elect();
    }
  }

  /**
   * A compaction replaces at most four pins by four; beside that, files at the edge of the room
   * come and go. The bounds hold with a table cloned, a DataNode, a server or a coordinator gone.
   */
  private void requireBounded(Counts counts, double hours) {
    assertThat(counts.changes).isLessThanOrEqualTo((int) (3 * FILES * size.compactions() * hours));
    assertThat(counts.calls).isLessThanOrEqualTo((int) (4 * 3_600 * hours));
    assertThat(counts.rescans).isLessThanOrEqualTo((int) (1.2 * ROUNDS_PER_HOUR * hours));
  }

  @Test
  void callsAndChangesAreBoundedInAQuarterOfTheCluster() throws IOException {
    run(4, 8, 30);
  }

  @Test
  @EnabledIfSystemProperty(named = "nightly", matches = "true")
  void callsAndChangesAreBoundedForADay() throws IOException {
    run(1, 24, ROUNDS_PER_HOUR);
  }
}
