package org.fastpath.clients.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.filter.IncompatibleFilterException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parts of the differential client without a cluster. */
class DifferentialTest {
  private static final long FOREVER = Long.MAX_VALUE;

  /** The text of a generated program replays it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void programsAreTextThatReplaysThem(long seed) throws Exception {
    List<Line> program = Generator.program(seed, 300, true);
    assertThat(Generator.program(seed, 300, true)).isEqualTo(program);
    List<String> text = program.stream().map(Line::toString).toList();
    assertThat(Line.program(text)).isEqualTo(program);
    for (Line line : program) {
      try {
        build(line);
      } catch (IncompatibleFilterException e) {
        // HBase's client refuses it, which is an outcome too.
        assertThat(line.has("batch")).isTrue();
      }
    }
  }

  /** Builds each filter, mutation and request from its text. */
  private static void build(Line line) throws Exception {
    Times times = new Times(System.currentTimeMillis());
    switch (line.verb()) {
      case "scan", "open" -> new Requests(times).scan(line);
      case "get", "exists" -> new Requests(times).get(line, "r001");
      case "put" -> new Mutations(times).put(line, Words.bytes(line.get("row")));
      case "delete" -> new Mutations(times).delete(line, Words.bytes(line.get("row")));
      case "check" -> new Mutations(times).checked(line);
      default -> assertThat(line.verb()).isNotEmpty();
    }
  }

  @Test
  void noProgramRestoresASnapshotBeforeAKill() {
    for (long seed = 1; seed <= 60; seed++) {
      List<String> verbs = Generator.program(seed, 300, true).stream().map(Line::verb).toList();
      assertThat(verbs.subList(0, verbs.indexOf("kill"))).doesNotContain("restore");
    }
  }

  @Test
  void noScanPrefetchesCursors() {
    for (long seed = 1; seed <= 60; seed++) {
      assertThat(Generator.program(seed, 300, true))
          .noneMatch(line -> line.has("prefetch") && line.has("cursor"));
    }
  }

  @Test
  void generatorUsesEachOperationAndOption() {
    Set<String> words = new TreeSet<>();
    for (long seed = 1; seed <= 60; seed++) {
      for (Line line : Generator.program(seed, 300, true)) {
        words.add(line.verb());
        words.addAll(line.arguments().keySet());
        if (line.has("filter")) {
          names(Term.parse(line.get("filter")), words);
        }
      }
    }
    assertThat(words)
        .contains("create", "flush", "compact", "split", "merge", "snapshot", "clone", "restore")
        .contains("alter", "truncate", "move", "kill", "bulk", "fill", "put", "delete", "increment")
        .contains("append", "mutate", "check", "batch", "get", "exists", "scan", "open", "next")
        .contains("reversed", "raw", "small", "batch", "caching", "limit", "maxSize", "partial")
        .contains("cursor", "readType", "client", "prefetch", "metrics", "perFamily", "offset")
        .contains("onDemand", "ranges", "from", "to", "families", "columns", "versions")
        .contains("all", "one", "skip", "while", "row", "qualifier", "family", "value", "prefix")
        .contains("page", "stop", "fuzzy", "ranges", "columnPrefix", "columnPrefixes", "firstKey")
        .contains("columnRange", "columnPage", "columnPageFrom", "columnCount", "firstMatching")
        .contains("keyOnly", "timestamps", "single", "singleExclude", "columnValue", "dependent");
  }

  private static void names(Term term, Set<String> names) {
    if (!term.isWord()) {
      names.add(term.name());
      term.terms().forEach(each -> names(each, names));
    }
  }

  /** Such a request can loop in HBase 2.6.4. All tables of a program have the families of one. */
  @Test
  void requestsNameNoColumnsWithNewVersionBehaviour() {
    Set<String> reads = Set.of("get", "exists", "scan", "open");
    int programs = 0;
    for (long seed = 1; seed <= 300; seed++) {
      List<Line> program = Generator.program(seed, 100, false);
      if (program.get(0).arguments().keySet().stream().anyMatch(n -> n.endsWith(".newVersions"))) {
        programs++;
        assertThat(program)
            .as("seed " + seed)
            .noneMatch(line -> reads.contains(line.verb()) && line.has("columns"));
      }
    }
    assertThat(programs).isPositive();
  }

  /** Where such scans end an answer is not the same on both variants, for reasons of HBase's. */
  @Test
  void scansShowNoEndsThatDependOnMemoryOrReadType() {
    int shown = 0;
    int taken = 0;
    for (long seed = 1; seed <= 300; seed++) {
      for (Line line : Generator.program(seed, 100, false)) {
        boolean cut = !line.get("maxSize", "1").equals("1");
        boolean shows =
            line.has("partial") || line.has("cursor") || line.get("client", "").equals("advanced");
        String what = "seed " + seed + ": " + line;
        if (shows) {
          shown++;
          assertThat(line.has("readType") || line.has("small")).as(what).isTrue();
        }
        if (line.has("take") && line.verb().equals("scan")) {
          taken++;
          assertThat(cut && shows).as(what).isFalse();
        }
        assertThat(line.has("offset") && line.has("maxSize")).as(what).isFalse();
        boolean batched = line.has("batch") && line.has("maxSize");
        assertThat(batched && line.has("limit")).as(what).isFalse();
      }
    }
    assertThat(shown).isPositive();
    assertThat(taken).isPositive();
  }

  @Test
  void wordsOfBytesComeBack() {
    byte[] bytes = Bytes.toBytes(0x00ff_2c3d_6130_2f3aL);
    assertThat(Words.bytes(Words.word(bytes))).isEqualTo(bytes);
    assertThat(Words.value("17x5")).isEqualTo(Bytes.toBytes("17.17"));
    assertThat(Words.value("L5")).isEqualTo(Bytes.toBytes(5L));
    assertThat(Words.shortWord(Words.value("1x40"), 0, 40)).startsWith("1.1.1.1.~40~");
  }

  @Test
  void wrongLinesAreNamed() {
    assertThatThrownBy(() -> Line.parse("get t0")).hasMessageContaining("'t0' is not name=value");
    assertThatThrownBy(() -> Line.parse("get t=t0").get("rows")).hasMessage("no rows in: get t=t0");
    assertThatThrownBy(() -> Filters.parse("none(1)", new Times(0)))
        .hasMessageContaining("none(1)");
  }

  @Test
  void timesOfTheServerAreShownAlike() {
    Times times = new Times(System.currentTimeMillis());
    assertThat(times.word(times.millis(5))).isEqualTo("5");
    assertThat(times.word(times.millis(1007))).isEqualTo("1007");
    assertThat(times.word(times.startMillis() + 3)).isEqualTo("now");
  }

  @Test
  void namesOfRunsAndServersAreNoDifference() {
    assertThat(Errors.outcome(new IllegalStateException("d7_t0 on localhost,4711,1700000000000 1")))
        .isEqualTo(
            Errors.outcome(new IllegalStateException("d12_t0 on localhost,4801,1700000000009 1")));
  }

  /** Servers of regions differ, and an error of one get can fail all gets of its server. */
  @Test
  void theNumberOfFailedGetsIsNoDifference() {
    String one = "Failed 1 action: IOException: 1 time, servers with issues: localhost,1,2";
    String two = "Failed 2 actions: IOException: 2 times, servers with issues: localhost,3,4";
    assertThat(Errors.outcome(new IllegalStateException(one)))
        .isEqualTo(Errors.outcome(new IllegalStateException(two)));
  }

  @Test
  void comparerTellsKindAndPlace() {
    Line line = Line.parse("scan t=t0");
    Outcome two = Outcome.of("result", "cell a", "cell b");
    assertThat(Difference.between(3, line, two, two)).isEmpty();
    Difference lost =
        Difference.between(3, line, two, Outcome.of("result", "cell b")).orElseThrow();
    assertThat(lost.kind()).isEqualTo("cell");
    assertThat(lost.toString()).contains("operation 3: scan t=t0", "cell a", "cell b");
    assertThat(Difference.between(0, line, two, Outcome.of("error x")).orElseThrow().kind())
        .isEqualTo("error");
  }

  /** The shrinker removes an operation, an argument and a part of a list, and reduces a number. */
  @Test
  void shrinkerFindsTheSmallestProgram() {
    List<Line> program = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      program.add(Line.parse("put row=r" + i + " cells=a:q/1x1,b:q/1x1 ts=8"));
    }
    program.set(37, Line.parse("split row=r1 at=40 list=x,y,z"));
    Predicate<List<Line>> fails =
        lines ->
            lines.stream()
                .anyMatch(
                    line ->
                        line.verb().equals("split")
                            && line.number("at", 0) >= 7
                            && line.list("list").contains("y"));
    List<Line> small = new Shrinker(fails, () -> true).shrink(program);
    assertThat(small).containsExactly(Line.parse("split at=7 list=y"));
  }

  @Test
  void shrinkerSimplifiesFilters() {
    List<Line> program =
        List.of(Line.parse("scan filter=all(one(page(3),prefix(r)),skip(while(keyOnly(true))))"));
    Predicate<List<Line>> fails =
        lines -> lines.stream().anyMatch(line -> line.get("filter", "").contains("keyOnly(true)"));
    assertThat(new Shrinker(fails, () -> true).shrink(program))
        .containsExactly(Line.parse("scan filter=keyOnly(true)"));
  }

  @Test
  void shrinkerStopsWhenTheTimeIsOver() {
    List<Line> program = List.of(Line.of("a"), Line.of("b"));
    assertThat(new Shrinker(lines -> true, () -> false).shrink(program)).isEqualTo(program);
  }

  /** The test finds a client that loses a cell, and shrinks the program to three lines. */
  @Test
  void plantedFaultIsFoundAndShrunk() throws Exception {
    Predicate<Line> losing = line -> line.verb().equals("scan") && line.flag("reversed");
    try (Differential differential =
        new Differential(
            new MemoryVariant(), new PlantedFault(new MemoryVariant(), losing), new Counts())) {
      long seed = 1;
      List<Line> program = Generator.program(seed, 300, false);
      Optional<Difference> difference = differential.run(program);
      assertThat(difference).isPresent();
      List<Line> small = differential.shrink(program, difference.get(), FOREVER);
      assertThat(small).extracting(Line::verb).containsExactly("create", "put", "scan");
      assertThat(small.get(2)).isEqualTo(Line.parse("scan t=t0 reversed=true"));
      assertThat(differential.run(small)).isPresent();
    }
  }

  /** After a kill, counts that differ once are noted; those that differ again are a difference. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void countsThatDifferAreComparedAgain(int scans) throws Exception {
    List<Line> program = List.of(Line.of("kill"), Line.parse("scan t=t0"));
    Counts counts = new Counts();
    Variant miscounting = new Miscounting(scans);
    try (Differential differential = new Differential(new Miscounting(0), miscounting, counts)) {
      Optional<Difference> difference = differential.run(program);
      assertThat(difference.isPresent()).isEqualTo(scans == 2);
      assertThat(counts.unrepeated()).hasSize(scans == 2 ? 0 : 1);
    }
  }

  @Test
  void countsThatDifferWithoutAKillAreADifference() throws Exception {
    try (Differential differential =
        new Differential(new Miscounting(0), new Miscounting(1), new Counts())) {
      assertThat(differential.run(List.of(Line.parse("scan t=t0")))).isPresent();
    }
  }

  /** Counts one row too many in its first scans. */
  private static final class Miscounting implements Variant {
    private int wrong;

    Miscounting(int scans) {
      wrong = scans;
    }

    @Override
    public void begin(int run, Times times) {
      // There are no tables.
    }

    @Override
    public Outcome apply(Line line) {
      return line.verb().equals("scan")
          ? Outcome.of("end", "metric rowsScanned=" + (wrong-- > 0 ? 8 : 7))
          : Outcome.of("done");
    }

    @Override
    public void end() {
      // There are no tables.
    }
  }

  /** HBase's own loops end a program. A loop on one side only is a difference. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void operationsWithoutAnEndAreNoticed(boolean both) throws Exception {
    List<Line> program = List.of(Line.parse("scan t=t0"), Line.parse("get t=t0"));
    Counts counts = new Counts();
    Variant other = both ? new Looping() : new Miscounting(0);
    Duration patience = both ? Duration.ofMillis(200) : Duration.ofSeconds(5);
    try (Differential differential =
        new Differential(other, new Looping(), counts, patience, Duration.ZERO)) {
      Optional<Difference> difference = differential.run(program);
      assertThat(difference.map(Difference::actual))
          .isEqualTo(both ? Optional.empty() : Optional.of("error does not end"));
      assertThat(counts.endless()).hasSize(both ? 1 : 0);
    }
  }

  /** A call that both clients gave up may keep both servers busy for good. Early errors do not. */
  @ParameterizedTest
  @CsvSource({"0, true", "3600, false"})
  void callsThatClientsGaveUpEndAProgram(long callTimeoutSeconds, boolean ends) throws Exception {
    List<Line> program = List.of(Line.parse("scan t=t0"), Line.parse("get t=t0"));
    Counts counts = new Counts();
    Failing first = new Failing();
    try (Differential differential =
        new Differential(
            first,
            new Failing(),
            counts,
            Duration.ofMinutes(5),
            Duration.ofSeconds(callTimeoutSeconds))) {
      assertThat(differential.run(program)).isEmpty();
    }
    assertThat(counts.endless()).hasSize(ends ? 1 : 0);
    assertThat(first.recoveries).isEqualTo(ends ? 1 : 0);
  }

  /** Fails each scan. */
  private static final class Failing implements Variant {
    private int recoveries;

    @Override
    public void begin(int run, Times times) {
      // There are no tables.
    }

    @Override
    public Outcome apply(Line line) {
      return Outcome.of(line.verb().equals("scan") ? "error timeout" : "done");
    }

    @Override
    public void recover() {
      recoveries++;
    }

    @Override
    public void end() {
      // There are no tables.
    }
  }

  /** Does not end a scan before it recovers. */
  private static final class Looping implements Variant {
    private final CountDownLatch recovered = new CountDownLatch(1);

    @Override
    public void begin(int run, Times times) {
      // There are no tables.
    }

    @Override
    public Outcome apply(Line line) throws Exception {
      if (line.verb().equals("scan")) {
        recovered.await();
      }
      return Outcome.of("done");
    }

    @Override
    public void recover() {
      recovered.countDown();
    }

    @Override
    public void end() {
      // There are no tables.
    }
  }

  @Test
  void holdersOfBlocksAreThoseThatHBaseAloneWouldNotHave() {
    String mob = "block a_1 taken by t, 3 s ago, at a.B.c < x.DefaultMobStoreCompactor.d";
    String ours = "block b_2 taken by t, 3 s ago, at a.B.c";
    String jmx = "{\"beans\": [{\"name\": \"n\", \"Holders\": [\"%s\", \"%s\"]}]}";
    assertThat(Resources.holders(jmx.formatted(mob, ours))).containsExactly(ours);
    assertThat(Resources.holders(jmx.formatted(mob, mob))).isEmpty();
    assertThatThrownBy(() -> Resources.holders("{\"beans\": []}"))
        .isInstanceOf(AssertionError.class);
  }
}
