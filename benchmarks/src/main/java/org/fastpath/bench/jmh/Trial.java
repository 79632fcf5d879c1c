package org.fastpath.bench.jmh;

import java.util.Map;
import org.apache.hbase.thirdparty.com.google.common.collect.Maps;
import org.fastpath.bench.engine.World;

/**
 * One benchmark with one set of parameters in one world: one fork per round.
 *
 * @param benchmark the method, fully qualified, as in JMH
 * @param variantParam the parameter that distinguishes the variants (see {@link Sides.Variants});
 *     empty if the worlds do
 */
record Trial(String benchmark, Map<String, String> params, World world, String variantParam) {
  private static final String PREFIX = "org.fastpath.bench.jmh.";

  /** Returns the variant in results: the world, or the value of the parameter that replaces it. */
  String variant() {
    return variantParam.isEmpty() ? world.id() : params.get(variantParam);
  }

  Map<String, String> shared() {
    return Maps.filterKeys(params, name -> !name.equals(variantParam));
  }

  /** Returns the number of threads: the parameter {@code threads}, or one. */
  int threads() {
    return Integer.parseInt(params.getOrDefault("threads", "1"));
  }

  /** Returns the name in results: shorter, after its group. */
  String name() {
    return shortName(benchmark);
  }

  static String shortName(String benchmark) {
    return benchmark.startsWith(PREFIX) ? benchmark.substring(PREFIX.length()) : benchmark;
  }

  @Override
  public String toString() {
    return name() + " " + params + " in world " + world.id();
  }
}
