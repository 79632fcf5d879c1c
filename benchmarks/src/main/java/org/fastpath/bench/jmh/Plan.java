package org.fastpath.bench.jmh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.fastpath.bench.engine.World;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Turns an include pattern and options into trials. */
final class Plan {
  private final Scope scope;
  private final Map<String, List<String>> overrides;
  private final Set<World> worlds;

  /** The amount of parameter values. */
  enum Scope {
    QUICK,
    STANDARD,
    ALL
  }

  /**
   * Creates a plan. Parameter values given by name override the scope.
   *
   * @param worlds restricts the worlds; empty for no restriction
   */
  Plan(Scope scope, Map<String, List<String>> overrides, Set<World> worlds) {
    this.scope = scope;
    this.overrides = overrides;
    this.worlds = worlds;
  }

  /** Returns the matching benchmarks on the class path. */
  static SortedSet<BenchmarkListEntry> benchmarks(String pattern) {
    return BenchmarkList.defaultList()
        .find(
            OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
            List.of(pattern),
            List.of());
  }

  List<Trial> trials(SortedSet<BenchmarkListEntry> benchmarks) {
    requireKnown(benchmarks);
    List<Trial> trials = new ArrayList<>();
    for (BenchmarkListEntry benchmark : benchmarks) {
      Map<String, List<String>> values = values(benchmark);
      if (!World.OFF_HEAP_BEFORE.isThere()) {
        values.computeIfPresent(variantParam(benchmark), without(Variants.BEFORE));
      }
      for (Map<String, String> params : combinations(values)) {
        for (World world : worlds(benchmark)) {
          trials.add(trial(benchmark, params, world));
        }
      }
    }
    return trials;
  }

  private static Trial trial(
      BenchmarkListEntry benchmark, Map<String, String> params, World world) {
    String variant = variantParam(benchmark);
    boolean before = Variants.BEFORE.equals(params.get(variant));
    return new Trial(
        benchmark.getUsername(), params, before ? World.OFF_HEAP_BEFORE : world, variant);
  }

  /** Refuses unknown parameters. Otherwise a misspelled parameter would silently run everything. */
  private void requireKnown(SortedSet<BenchmarkListEntry> benchmarks) {
    Set<String> known = new TreeSet<>();
    benchmarks.forEach(benchmark -> known.addAll(declared(benchmark).keySet()));
    for (String name : overrides.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException("no parameter \"" + name + "\"; there are: " + known);
      }
    }
  }

  private List<World> worlds(BenchmarkListEntry benchmark) {
    Worlds declared = annotated(benchmark).getAnnotation(Worlds.class);
    if (declared == null) {
      throw new IllegalStateException(benchmark.getUserClassQName() + " lacks @Worlds");
    }
    return Arrays.stream(declared.value())
        .filter(world -> worlds.isEmpty() || worlds.contains(world))
        .toList();
  }

  /** Returns benchmarks that do the same work, from {@link Rivals}. */
  static List<String> rivals(BenchmarkListEntry benchmark) {
    Rivals rivals = annotated(benchmark).getAnnotation(Rivals.class);
    return rivals == null ? List.of() : List.of(rivals.value());
  }

  /** Returns its description from {@link Summary}, or an empty one. */
  static String summary(BenchmarkListEntry benchmark) {
    Summary summary = annotated(benchmark).getAnnotation(Summary.class);
    return summary == null ? "" : summary.value();
  }

  /** Returns its {@link Variants}; null if worlds are the variants. */
  static Variants variants(BenchmarkListEntry benchmark) {
    return annotated(benchmark).getAnnotation(Variants.class);
  }

  private static BiFunction<String, List<String>, List<String>> without(String variant) {
    return (param, values) -> values.stream().filter(value -> !value.equals(variant)).toList();
  }

  private static String variantParam(BenchmarkListEntry benchmark) {
    Variants variants = variants(benchmark);
    return variants == null ? "" : variants.param();
  }

  private static Class<?> annotated(BenchmarkListEntry benchmark) {
    try {
      // Does not initialize the class, because a benchmark must load its classes in its world.
      return Class.forName(
          benchmark.getUserClassQName(), false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "a benchmark in JMH's list has no class; build the project again", e);
    }
  }

  private Map<String, List<String>> values(BenchmarkListEntry benchmark) {
    Map<String, List<String>> values = declared(benchmark);
    Subset subset = annotated(benchmark).getAnnotation(Subset.class);
    if (subset != null && scope != Scope.ALL) {
      narrow(values, Overrides.parse(subset.standard()));
    }
    if (subset != null && scope == Scope.QUICK) {
      narrow(values, Overrides.parse(subset.quick()));
    }
    narrow(values, overrides);
    return values;
  }

  /** Returns parameters sorted by name, because JMH returns them in no particular order. */
  private static Map<String, List<String>> declared(BenchmarkListEntry benchmark) {
    Map<String, List<String>> values = new TreeMap<>();
    benchmark.getParams().orElse(Map.of()).forEach((name, list) -> values.put(name, List.of(list)));
    return values;
  }

  private static void narrow(Map<String, List<String>> values, Map<String, List<String>> to) {
    to.forEach((name, list) -> values.computeIfPresent(name, (any, old) -> list));
  }

  /** Returns every combination of the values; the last parameter changes fastest. */
  static List<Map<String, String>> combinations(Map<String, List<String>> values) {
    List<Map<String, String>> all = new ArrayList<>();
    all.add(new LinkedHashMap<>());
    values.forEach((name, list) -> extend(all, name, list));
    return all;
  }

  private static void extend(List<Map<String, String>> all, String name, List<String> list) {
    List<Map<String, String>> shorter = List.copyOf(all);
    all.clear();
    for (Map<String, String> params : shorter) {
      for (String value : list) {
        Map<String, String> longer = new LinkedHashMap<>(params);
        longer.put(name, value);
        all.add(longer);
      }
    }
  }
}
