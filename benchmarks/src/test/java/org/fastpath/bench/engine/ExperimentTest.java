package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.results.Results;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tests the engine with an experiment that measures nothing. */
class ExperimentTest {
  @TempDir private Path directory;

  /** Records its options. */
  @Command(name = "nothing", header = "Nothing")
  @Experiment.Quick("--rounds 1 --seconds 2 --names few")
  static final class Nothing extends Experiment {
    @Mixin private Options.Rounds rounds = new Options.Rounds(7);
    @Mixin private Options.Times times = new Options.Times(30, 20);

    @Option(names = "--names", split = ",")
    private List<String> names = List.of("all");

    @Option(names = "--keys")
    private Map<String, String> keys = Map.of();

    private boolean fails;

    @Override
    protected void check() {
      atLeast("--warm-up", 3, times.warmUp);
    }

    @Override
    protected void run(Run run) throws IOException {
      if (fails) {
        throw new IOException("nothing came of it");
      }
      Interleaved.rounds(
          rounds.rounds,
          List.of("a", "b"),
          (variant, round, label) -> run.round("nothing", Map.of(), variant, "s", times.seconds));
    }
  }

  private int run(Nothing experiment, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--out", directory.toString()));
    return new CommandLine(experiment).execute(all.toArray(String[]::new));
  }

  private double[] rounds() throws IOException {
    return Results.read(directory.resolve("nothing.json"))
        .find("nothing", "b")
        .orElseThrow()
        .perRound();
  }

  @Test
  void quickTakesTheSmallSettings() throws IOException {
    assertThat(run(new Nothing(), "--quick")).isZero();
    assertThat(rounds()).containsExactly(2);
    assertThat(directory.resolve("nothing.html")).content().contains("Nothing");
    assertThat(directory.resolve("cluster")).doesNotExist();
  }

  @Test
  void whatIsGivenWinsOverQuick() throws IOException {
    assertThat(run(new Nothing(), "--quick", "--seconds", "5")).isZero();
    assertThat(rounds()).containsExactly(5);
  }

  @Test
  void givenListsAndMapsWinOverQuickToo() {
    Nothing quick = new Nothing();
    assertThat(run(quick, "--quick")).isZero();
    assertThat(quick.names).containsExactly("few");
    assertThat(quick.keys).isEmpty();
    Nothing given = new Nothing();
    assertThat(run(given, "--names", "x,y", "--keys", "a=b", "--quick")).isZero();
    assertThat(given.names).containsExactly("x", "y");
    assertThat(given.keys).containsExactly(Map.entry("a", "b"));
  }

  @Test
  void withoutItDefaultsCount() throws IOException {
    assertThat(run(new Nothing(), "--rounds", "2")).isZero();
    assertThat(rounds()).containsExactly(20, 20);
    assertThat(Results.read(directory.resolve("nothing.json")).environment().command())
        .startsWith("bin/fastpath nothing --rounds 2 --out ");
  }

  @Test
  void optionsThatMeanNothingAreRefusedAndFailuresAreTold() {
    assertThat(run(new Nothing(), "--rounds", "0")).isEqualTo(2);
    assertThat(run(new Nothing(), "--warm-up", "2")).isEqualTo(2);
    Nothing failing = new Nothing();
    failing.fails = true;
    assertThat(run(failing)).isEqualTo(1);
  }
}
