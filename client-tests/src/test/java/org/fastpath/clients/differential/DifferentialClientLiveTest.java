package org.fastpath.clients.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.FastpathSizes;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Modules;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client gets the same outcomes from a stock cluster and from one with every module on, whatever
 * it does. The system properties in {@code docs/design/differential-client.md} change seeds and
 * duration, or replay a program.
 */
class DifferentialClientLiveTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final long MIB = 1L << 20;
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("differential.seconds", NIGHTLY ? 3600 : 100));
  private static final Duration SHRINKING =
      Duration.ofSeconds(Long.getLong("differential.shrink", NIGHTLY ? 420 : 60));
  private static final int OPERATIONS = 250;
  private static final int MAX_DIFFERENCES = 5;
  private static final Path PAST = Path.of("src/test/resources/differential");

  /** In a nightly run, one of this number of programs kills the RegionServers. */
  private static final int KILL_EVERY = 6;

  @TempDir static Path directory;

  private static ClusterVariant stock;
  private static ClusterVariant ours;

  @BeforeAll
  static void start() throws Exception {
    CompletableFuture<ClusterVariant> other =
        CompletableFuture.supplyAsync(() -> started("stock", builder -> builder));
    ours =
        started(
            "ours",
            builder ->
                builder
                    .fastpath(Modules.ALL)
                    .fastpathSizes(new FastpathSizes(32 * MIB, 32 * MIB, 24 * MIB))
                    .conf("hbase.fastpath.inline-reads.enabled", "true")
                    .conf("hbase.fastpath.warm-up.seconds", "10")
                    // Freed memory is overwritten, and the cache records each holder of a block.
                    .conf("hbase.fastpath.offheap-cache.debug", "true")
                    .conf("hbase.fastpath.hdfs-cache.policy", "ALWAYS")
                    .conf("hbase.fastpath.hdfs-cache.interval-seconds", "2")
                    .conf("hbase.fastpath.hdfs-cache.compaction-wait-seconds", "2"));
    stock = other.get();
  }

  private static ClusterVariant started(String name, UnaryOperator<ClusterBuilder> changes) {
    ClusterBuilder builder =
        LocalCluster.builder()
            .directory(directory.resolve(name))
            .regionServers(2)
            .startTimeout(Duration.ofMinutes(6))
            .volumes("[SSD]", "[DISK]")
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(Role.REGIONSERVER, options -> options.quickStart().heap("384m"));
    try {
      return ClusterVariant.start(changes.apply(builder));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (ClusterVariant variant : new ClusterVariant[] {stock, ours}) {
      if (variant != null) {
        variant.close();
      }
    }
  }

  /** Continues after a difference, to find others. */
  @Test
  void clientSeesTheSame() throws Exception {
    Counts counts = new Counts();
    List<String> differences = new ArrayList<>();
    try (Differential differential = new Differential(stock, ours, counts)) {
      String replay = System.getProperty("differential.replay");
      if (replay != null) {
        List<Line> program = Line.program(Files.readAllLines(Path.of(replay)));
        check(differential, "the program " + replay, program).ifPresent(differences::add);
      } else {
        long end = System.nanoTime() + TIME.toNanos();
        long seed = firstSeed();
        do {
          boolean kills = NIGHTLY && seed % KILL_EVERY == 0;
          say("seed " + seed);
          check(differential, "seed " + seed, Generator.program(seed, OPERATIONS, kills))
              .ifPresent(differences::add);
          seed++;
        } while (System.nanoTime() < end && differences.size() < MAX_DIFFERENCES);
      }
      differences.addAll(differential.leaks());
      assertThat(differences).isEmpty();
    } finally {
      say(counts.toString());
    }
  }

  private static void say(String what) {
    System.out.println(Instant.now() + " differential client: " + what);
  }

  /** Replays programs that once showed a difference. */
  @Test
  void differencesOfThePastAreGone() throws Exception {
    try (Differential differential = new Differential(stock, ours, new Counts());
        DirectoryStream<Path> programs = Files.newDirectoryStream(PAST, "*.txt")) {
      for (Path program : programs) {
        assertThat(differential.run(Line.program(Files.readAllLines(program))))
            .as(program.toString())
            .isEmpty();
      }
    }
  }

  /** The test finds a client that loses a cell on real clusters too, and shrinks the program. */
  @Test
  @EnabledIfSystemProperty(named = "nightly", matches = "true")
  void plantedFaultIsFoundAndShrunk() throws Exception {
    Variant losing = new PlantedFault(ours, line -> line.verb().equals("scan"));
    List<Line> program = Generator.program(7, 20, false);
    try (Differential differential = new Differential(stock, losing, new Counts())) {
      Difference difference = differential.run(program).orElseThrow();
      List<Line> small =
          differential.shrink(program, difference, System.nanoTime() + SHRINKING.toNanos());
      assertThat(small).hasSizeLessThanOrEqualTo(3);
      assertThat(differential.run(small)).isPresent();
    }
  }

  /** Returns the first seed. It is fixed in a normal build and changes in a nightly run. */
  private static long firstSeed() {
    long otherwise = NIGHTLY ? System.currentTimeMillis() / 1000 * 1000 : 1;
    return Long.getLong("differential.seed", otherwise);
  }

  /** Returns the difference and the smallest program that shows it; empty if there is none. */
  private static Optional<String> check(Differential differential, String name, List<Line> program)
      throws Exception {
    Optional<Difference> difference = differential.run(program);
    if (difference.isEmpty()) {
      return Optional.empty();
    }
    say("in " + name + ": " + difference.get());
    long until = System.nanoTime() + SHRINKING.toNanos();
    List<Line> small = differential.shrink(program, difference.get(), until);
    Optional<Difference> again = differential.run(small);
    String found =
        name
            + ": "
            + difference.get()
            + "\nThe smallest program that shows it:\n"
            + small.stream().map(Line::toString).collect(Collectors.joining("\n"))
            + "\nIts difference is "
            + again.map(Difference::toString).orElse("not reproduced by each run");
    say(found);
    return Optional.of(found);
  }
}
