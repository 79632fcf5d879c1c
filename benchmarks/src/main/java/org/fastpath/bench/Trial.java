package org.fastpath.bench;

import java.util.Map;

/**
 * One benchmark with one set of parameters in one world: one fork per round.
 *
 * @param benchmark the method, fully qualified, as JMH names it
 * @param params a value for every parameter
 * @param world where it runs
 */
record Trial(String benchmark, Map<String, String> params, World world) {
  private static final String PREFIX = "org.fastpath.bench.";

  /** The name in results: shorter, and a group in front. */
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
