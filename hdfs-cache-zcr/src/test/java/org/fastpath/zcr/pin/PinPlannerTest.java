package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Reason;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.fastpath.zcr.pin.PinPlan.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinPlannerTest {
  private static final PinLimits LIMITS = new PinLimits(1_000, 0.1, 2, 8);
  private static final int CASES = 1_000;

  private final PinPlanner planner = new PinPlanner(LIMITS);
  private final Map<String, Long> pinned = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theLimitHoldsAfterEachStep(int run) {
    Random random = random(run);
    for (int i = 0; i < CASES; i++) {
      pinned.clear();
      List<Candidate> files = files(random);
      pinSome(files, random, 1_300);
      long before = used();
      List<Step> steps = planner.plan(files, pinned).steps();
      assertThat(steps).hasSizeLessThanOrEqualTo(LIMITS.changes());
      for (Step step : steps) {
        apply(step);
        if (step.action() == Action.PIN) {
          assertThat(used()).isLessThanOrEqualTo(LIMITS.bytes());
        }
        assertThat(used()).isLessThanOrEqualTo(Math.max(before, LIMITS.bytes()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whateverIsDoneOfAPlanTheRestOfItFollows(int run) {
    Random random = random(run);
    for (int i = 0; i < CASES; i++) {
      pinned.clear();
      List<Candidate> files = files(random);
      pinSome(files, random, 1_300);
      PinPlan plan = planner.plan(files, pinned);
      Set<String> chosen = chosen(plan);
      int changes = plan.steps().size() + plan.deferred();
      plan.steps().subList(0, random.nextInt(plan.steps().size() + 1)).forEach(this::apply);
      int rounds = 0;
      for (plan = planner.plan(files, pinned);
          !plan.steps().isEmpty();
          plan = planner.plan(files, pinned)) {
        assertThat(chosen(plan)).isEqualTo(chosen);
        plan.steps().forEach(this::apply);
        rounds++;
      }
      assertThat(rounds).isLessThanOrEqualTo(1 + changes / LIMITS.changes());
      assertThat(pinned.keySet()).isEqualTo(chosen);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theOrderOfCandidatesDoesNotMatter(int run) {
    Random random = random(run);
    for (int i = 0; i < CASES; i++) {
      pinned.clear();
      List<Candidate> files = files(random);
      pinSome(files, random, 1_000);
      PinPlan plan = planner.plan(files, pinned);
      Collections.shuffle(files, random);
      assertThat(planner.plan(files, new HashMap<>(pinned))).isEqualTo(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void successionKeepsTheLimitAndPinsTheSuccessorLast(int run) {
    Random random = random(run);
    int possible = 0;
    for (int i = 0; i < CASES; i++) {
      pinned.clear();
      List<Candidate> files = files(random);
      pinSome(files, random, 1_000);
      Set<String> inputs = new TreeSet<>();
      files.stream().filter(file -> random.nextInt(4) == 0).forEach(f -> inputs.add(f.path()));
      Candidate successor =
          new Candidate("successor", 1 + random.nextInt(600), policy(random), 0, true);
      List<Step> steps = planner.succession(successor, inputs, files, pinned);
      possible += steps.isEmpty() ? 0 : 1;
      for (Step step : steps) {
        apply(step);
        assertThat(used()).isLessThanOrEqualTo(LIMITS.bytes());
      }
      assertThat(pinned.containsKey("successor")).isEqualTo(!steps.isEmpty());
    }
    assertThat(possible).isBetween(CASES / 4, CASES - 1);
  }

  @Test
  void nothingChangesBetweenEqualHeats() {
    List<Candidate> files = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      files.add(auto("file" + i, 90, 900));
    }
    carryOut(files);
    Set<String> first = Set.copyOf(pinned.keySet());
    assertThat(first).hasSize(10);
    assertThat(planner.plan(files, pinned).steps()).isEmpty();
  }

  @Test
  void heatsThatSwayByLessThanTheFactorChangeNothing() {
    Random random = random(1);
    List<Candidate> files = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      files.add(auto("file" + i, 50, 500));
    }
    carryOut(files);
    for (int round = 0; round < 1_000; round++) {
      files.replaceAll(file -> auto(file.path(), 50, 500 + random.nextInt(499)));
      assertThat(planner.plan(files, pinned).steps()).isEmpty();
    }
  }

  @Test
  void aHotSetThatMovesIsFollowedInTheStatedRounds() {
    List<Candidate> files = hotFrom(0);
    carryOut(files);
    assertThat(pinned.keySet()).isEqualTo(hotPaths(0));
    files = hotFrom(40);
    int rounds = carryOut(files);
    assertThat(pinned.keySet()).isEqualTo(hotPaths(40));
    assertThat(rounds).isEqualTo(2 * 15 / LIMITS.changes() + 1);
  }

  private static List<Candidate> hotFrom(int first) {
    List<Candidate> files = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      files.add(auto("file" + i, 60, i >= first && i < first + 15 ? 600 : 60));
    }
    return files;
  }

  private static Set<String> hotPaths(int first) {
    Set<String> paths = new TreeSet<>();
    for (int i = first; i < first + 15; i++) {
      paths.add("file" + i);
    }
    return paths;
  }

  @Test
  void alwaysComesBeforeWhatIsHot() {
    List<Candidate> files =
        List.of(auto("hot", 600, 1e9), new Candidate("cold", 600, PinPolicy.ALWAYS, 0, false));
    pinned.put("hot", 600L);
    carryOut(files);
    assertThat(pinned).containsOnlyKeys("cold");
  }

  @Test
  void neverAndColdAndGoneAreSaidSo() {
    pinned.put("gone", 10L);
    PinPlan plan =
        planner.plan(
            List.of(
                auto("cold", 160, 9),
                auto("hot", 160, 10),
                auto("large", 901, 1e9),
                new Candidate("never", 10, PinPolicy.NEVER, 1e9, false)),
            pinned);
    assertThat(plan.verdicts())
        .extracting(Verdict::path, Verdict::reason)
        .containsExactly(
            tuple("large", Reason.NO_ROOM),
            tuple("hot", Reason.HOT),
            tuple("cold", Reason.COLD),
            tuple("never", Reason.NEVER),
            tuple("gone", Reason.GONE));
    assertThat(plan.steps())
        .containsExactly(new Step(Action.PIN, "hot", 160), new Step(Action.UNPIN, "gone", 10));
  }

  @Test
  void whatIsPinnedIsKeptUntilItIsMeasured() {
    pinned.put("unmeasured", 600L);
    Candidate unmeasured = new Candidate("unmeasured", 600, PinPolicy.AUTO, 0, true);
    Candidate hot = auto("hot", 600, 1e9);
    assertThat(planner.plan(List.of(unmeasured, hot), pinned).steps()).isEmpty();
    carryOut(List.of(auto("unmeasured", 600, 0), hot));
    assertThat(pinned).containsOnlyKeys("hot");
  }

  @Test
  void theOutputOfACompactionIsPinnedBesideItsInputsWhereThereIsRoom() {
    pinned.put("a", 450L);
    pinned.put("b", 40L);
    pinned.put("auto", 300L);
    List<Candidate> files = List.of(always("a", 450), always("b", 40), auto("auto", 300, 1e9));
    Set<String> inputs = Set.of("a", "b");
    assertThat(planner.succession(always("c", 210), inputs, files, pinned))
        .containsExactly(new Step(Action.PIN, "c", 210));
    assertThat(planner.succession(always("c", 490), inputs, files, pinned))
        .containsExactly(new Step(Action.UNPIN, "auto", 300), new Step(Action.PIN, "c", 490));
    assertThat(planner.succession(always("c", 520), inputs, files, pinned))
        .containsExactly(
            new Step(Action.UNPIN, "auto", 300),
            new Step(Action.UNPIN, "a", 450),
            new Step(Action.PIN, "c", 520));
    assertThat(planner.succession(always("c", 1_001), inputs, files, pinned)).isEmpty();
  }

  /** Rounds until there is nothing left to do. */
  private int carryOut(List<Candidate> files) {
    for (int rounds = 0; ; rounds++) {
      List<Step> steps = planner.plan(files, pinned).steps();
      if (steps.isEmpty()) {
        return rounds;
      }
      steps.forEach(this::apply);
    }
  }

  private void apply(Step step) {
    switch (step.action()) {
      case PIN -> assertThat(pinned.put(step.path(), step.bytes())).isNull();
      case UNPIN -> assertThat(pinned.remove(step.path())).isEqualTo(step.bytes());
    }
  }

  private long used() {
    return pinned.values().stream().mapToLong(Long::longValue).sum();
  }

  private static Set<String> chosen(PinPlan plan) {
    Set<String> paths = new TreeSet<>();
    for (Verdict verdict : plan.verdicts()) {
      if (verdict.reason().wanted()) {
        paths.add(verdict.path());
      }
    }
    return paths;
  }

  private static Random random(int run) {
    long seed = Long.getLong("seed", 0x9E3779B97F4A7C15L * run);
    System.out.println("seed " + seed);
    return new Random(seed);
  }

  /** Few sizes and heats, so that many are equal. */
  private static List<Candidate> files(Random random) {
    List<Candidate> files = new ArrayList<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      long bytes = 1 + 20L * random.nextInt(random.nextInt(10) == 0 ? 60 : 10);
      double heat = random.nextInt(3) == 0 ? 0 : bytes * (double) random.nextInt(5);
      files.add(new Candidate("file" + i, bytes, policy(random), heat, random.nextInt(5) == 0));
    }
    return files;
  }

  private static PinPolicy policy(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> PinPolicy.NEVER;
      case 1, 2 -> PinPolicy.ALWAYS;
      default -> PinPolicy.AUTO;
    };
  }

  private void pinSome(List<Candidate> files, Random random, long most) {
    for (Candidate file : files) {
      if (random.nextInt(3) > 0 && used() + file.bytes() <= most) {
        pinned.put(file.path(), file.bytes());
      }
    }
    if (random.nextInt(3) == 0) {
      pinned.put("gone", 30L);
    }
  }

  private static Candidate auto(String path, long bytes, double heat) {
    return new Candidate(path, bytes, PinPolicy.AUTO, heat, false);
  }

  private static Candidate always(String path, long bytes) {
    return new Candidate(path, bytes, PinPolicy.ALWAYS, 0, false);
  }
}
