package org.fastpath.bench.workloads.tiers;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Run;

/** Ratios of the story's conclusions: one case over another, by throughput and mean latency. */
final class StoryRatios {
  private static final List<Pair> PAIRS =
      List.of(
          new Pair(TierCase.G50_RAM, TierCase.G50_HDD),
          new Pair(TierCase.G50_SSD, TierCase.G50_HDD),
          new Pair(TierCase.T1_SSD, TierCase.T1_HDD),
          new Pair(TierCase.T1_RAM_SSD, TierCase.T1_SSD),
          new Pair(TierCase.T1_RAM_HDD, TierCase.T1_HDD),
          new Pair(TierCase.T1_SSD_HDD, TierCase.T1_HDD),
          new Pair(TierCase.T1_SSD_HDD, TierCase.T1_SSD),
          new Pair(TierCase.T1_RAM_SSD_HDD, TierCase.T1_SSD_HDD),
          new Pair(TierCase.T1_RAM_SSD_ALL_HDD, TierCase.T1_SSD_ALL_HDD));

  private final Map<TierVariant, Map<TierCase, TierWindow>> loads =
      new EnumMap<>(TierVariant.class);

  private record Pair(TierCase one, TierCase over) {
    Map<String, String> params() {
      return Map.of("case", one.label(), "over", over.label());
    }
  }

  /** Adds a measurement; all are of the same round. */
  void add(TierCase one, TierVariant variant, TierWindow load) {
    loads.computeIfAbsent(variant, any -> new EnumMap<>(TierCase.class)).put(one, load);
  }

  /** Adds the ratios of this round for which both cases were measured. */
  void record(Run run, String prefix) {
    loads.forEach(
        (variant, byCase) -> {
          for (Pair pair : PAIRS) {
            TierWindow one = byCase.get(pair.one());
            TierWindow over = byCase.get(pair.over());
            if (one != null && over != null) {
              record(run, prefix, pair, variant, one, over);
            }
          }
        });
  }

  private static void record(
      Run run, String prefix, Pair pair, TierVariant variant, TierWindow one, TierWindow over) {
    run.round(prefix + "throughput", pair.params(), variant.label(), "×", one.rate() / over.rate());
    run.round(
        prefix + "latency",
        pair.params(),
        variant.label(),
        "×",
        one.meanMillis() / over.meanMillis());
    boolean cpu = one.limit() == TierWindow.Limit.CPU || over.limit() == TierWindow.Limit.CPU;
    run.round(prefix + "cpu-limited", pair.params(), variant.label(), "of rounds", cpu ? 1 : 0);
  }
}
