package org.fastpath.bench.jmh;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.fastpath.bench.engine.World;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Turns an include pattern and options into trials.
 *
 * @param overrides parameter values given by name, which override the scope
 * @param worlds restricts the worlds; empty for no restriction
 */
record Plan(Scope scope, Map<String, List<String>> overrides, Set<World> worlds) {
  enum Scope {
    QUICK,
    STANDARD,
    ALL
  }

  /** Returns the matching benchmarks on the class path. */
  static SortedSet<BenchmarkListEntry> benchmarks(String pattern) {
    return BenchmarkList.defaultList()
        .find(
            OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
            List.of(pattern),
            List.of());
  }

  /** Parses {@code name=value,value}. */
  static Map<String, List<String>> parse(String... assignments) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String assignment : assignments) {
      int equals = assignment.indexOf('=');
      if (equals <= 0 || equals == assignment.length() - 1) {
        throw new IllegalArgumentException(
            "\"" + assignment + "\" is not of the form name=value or name=value,value");
      }
      values.put(
          assignment.substring(0, equals), List.of(assignment.substring(equals + 1).split(",")));
    }
    return values;
  }

  List<Trial> trials(SortedSet<BenchmarkListEntry> benchmarks) {
    requireKnown(benchmarks);
    List<Trial> trials = new ArrayList<>();
    for (BenchmarkListEntry benchmark : benchmarks) {
      String variant =
          annotation(benchmark, Sides.Variants.class).map(Sides.Variants::param).orElse("");
      for (Map<String, String> params : combinations(values(benchmark))) {
        boolean before = Sides.Variants.BEFORE.equals(params.get(variant));
        if (before && !World.OFF_HEAP_BEFORE.isThere()) {
          continue;
        }
        for (World world : worlds(benchmark)) {
          World own = before ? World.OFF_HEAP_BEFORE : world;
          trials.add(new Trial(benchmark.getUsername(), params, own, variant));
        }
      }
    }
    return trials;
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
    Sides.Worlds declared =
        annotation(benchmark, Sides.Worlds.class)
            .orElseThrow(
                () -> new IllegalStateException(benchmark.getUserClassQName() + " lacks @Worlds"));
    return Arrays.stream(declared.value())
        .filter(world -> worlds.isEmpty() || worlds.contains(world))
        .toList();
  }

  static <A extends Annotation> Optional<A> annotation(
      BenchmarkListEntry benchmark, Class<A> type) {
    try {
      // Does not initialize the class, because a benchmark must load its classes in its world.
      Class<?> annotated =
          Class.forName(
              benchmark.getUserClassQName(), false, Thread.currentThread().getContextClassLoader());
      return Optional.ofNullable(annotated.getAnnotation(type));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "a benchmark in JMH's list has no class; build the project again", e);
    }
  }

  private Map<String, List<String>> values(BenchmarkListEntry benchmark) {
    Map<String, List<String>> values = declared(benchmark);
    Optional<Sides.Subset> subset = annotation(benchmark, Sides.Subset.class);
    if (subset.isPresent() && scope != Scope.ALL) {
      narrow(values, parse(subset.get().standard()));
      narrow(values, scope == Scope.QUICK ? parse(subset.get().quick()) : Map.of());
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
    for (List<String> combination : Lists.cartesianProduct(List.copyOf(values.values()))) {
      Map<String, String> params = new LinkedHashMap<>();
      values.keySet().forEach(name -> params.put(name, combination.get(params.size())));
      all.add(params);
    }
    return all;
  }
}
