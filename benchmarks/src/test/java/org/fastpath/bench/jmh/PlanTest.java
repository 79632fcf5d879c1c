package org.fastpath.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.fastpath.bench.jmh.Sides.Rivals;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkListEntry;

class PlanTest {
  private static final Set<BenchmarkListEntry> EVERYTHING = Plan.benchmarks(".*");

  private static List<Trial> trials(Plan.Scope scope, Map<String, List<String>> overrides) {
    return new Plan(scope, overrides, Set.of()).trials(Plan.benchmarks(".*"));
  }

  @Test
  void combinationsAreAllOfThem() {
    Map<String, List<String>> values = new TreeMap<>();
    values.put("a", List.of("1", "2"));
    values.put("b", List.of("x", "y"));

    assertThat(Plan.combinations(values))
        .containsExactly(
            Map.of("a", "1", "b", "x"),
            Map.of("a", "1", "b", "y"),
            Map.of("a", "2", "b", "x"),
            Map.of("a", "2", "b", "y"));
  }

  @Test
  void subsetsHoldDeclaredValuesOnly() {
    List<Trial> all = trials(Plan.Scope.ALL, Map.of());

    assertThat(all).containsAll(trials(Plan.Scope.STANDARD, Map.of()));
    assertThat(trials(Plan.Scope.STANDARD, Map.of()))
        .containsAll(trials(Plan.Scope.QUICK, Map.of()));
  }

  @Test
  void everyBenchmarkRunsInEveryScope() {
    for (Plan.Scope scope : Plan.Scope.values()) {
      assertThat(trials(scope, Map.of()))
          .extracting(Trial::benchmark)
          .containsAll(EVERYTHING.stream().map(BenchmarkListEntry::getUsername).toList());
    }
  }

  @Test
  void valuesGivenByNameWin() {
    assertThat(trials(Plan.Scope.QUICK, Map.of("size", List.of("4096", "77"))))
        .filteredOn(trial -> trial.params().containsKey("size"))
        .extracting(trial -> trial.params().get("size"))
        .containsOnly("4096", "77");
  }

  @Test
  void rivalsAreBenchmarksAndHaveASummary() {
    Map<String, BenchmarkListEntry> byName =
        EVERYTHING.stream()
            .collect(Collectors.toMap(entry -> Trial.shortName(entry.getUsername()), e -> e));

    assertThat(EVERYTHING)
        .flatExtracting(entry -> List.of(rivals(entry).map(Rivals::value).orElse(new String[0])))
        .isNotEmpty()
        .allSatisfy(
            rival -> {
              assertThat(byName).containsKey(rival);
              assertThat(rivals(byName.get(rival)).orElseThrow().summary()).isNotBlank();
            });
  }

  private static Optional<Rivals> rivals(BenchmarkListEntry benchmark) {
    return Plan.annotation(benchmark, Rivals.class);
  }
}
