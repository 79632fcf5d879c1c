package org.fastpath.clients.differential;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs programs on two variants in lockstep, one operation after the other, and compares the
 * outcomes of their clients. Not thread-safe.
 */
final class Differential implements AutoCloseable {
  private final Variant first;
  private final Variant second;
  private final Counts counts;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private int runs;

  Differential(Variant first, Variant second, Counts counts) {
    this.first = first;
    this.second = second;
    this.counts = counts;
  }

  /** An operation on one variant. */
  @FunctionalInterface
  private interface Work<T> {
    T on(Variant variant) throws Exception;
  }

  private record Both<T>(T first, T second) {}

  private <T> Both<T> both(Work<T> work) throws Exception {
    Future<T> one = threads.submit(() -> work.on(first));
    Future<T> other = threads.submit(() -> work.on(second));
    return new Both<>(one.get(), other.get());
  }

  /**
   * Runs a program on new tables, up to the first difference. If a scan's counts differ after a
   * kill, it scans once more. A row of deleted cells counts until a compaction drops it, and after
   * a kill HBase chooses the time of some compactions.
   */
  Optional<Difference> run(List<Line> program) throws Exception {
    int run = ++runs;
    Times times = new Times(System.currentTimeMillis());
    both(
        variant -> {
          variant.begin(run, times);
          return null;
        });
    try {
      return compare(program);
    } finally {
      both(
          variant -> {
            variant.end();
            return null;
          });
    }
  }

  private Optional<Difference> compare(List<Line> program) throws Exception {
    counts.program();
    boolean killed = false;
    for (int i = 0; i < program.size(); i++) {
      Line line = program.get(i);
      Both<Outcome> outcomes = both(variant -> variant.apply(line));
      counts.add(line, outcomes.first());
      Optional<Difference> difference = difference(i, line, outcomes);
      killed |= line.verb().equals("kill");
      if (killed && difference.isPresent() && difference.get().isOfCounts()) {
        Optional<Difference> again = difference(i, line, both(variant -> variant.apply(line)));
        if (again.isEmpty()) {
          counts.unrepeated(difference.get());
        }
        difference = again;
      }
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static Optional<Difference> difference(int index, Line line, Both<Outcome> outcomes) {
    return Difference.between(index, line, outcomes.first(), outcomes.second());
  }

  /** Returns the smallest program with such a difference that it finds before the time is over. */
  List<Line> shrink(List<Line> program, Difference difference, long untilNanos) {
    Shrinker shrinker =
        new Shrinker(
            candidate -> shows(candidate, difference), () -> System.nanoTime() < untilNanos);
    return shrinker.shrink(program.subList(0, difference.index() + 1));
  }

  private boolean shows(List<Line> program, Difference difference) {
    if (!program.get(0).verb().equals("create")) {
      return false;
    }
    try {
      return run(program).filter(difference::resembles).isPresent();
    } catch (Exception e) {
      // A program whose preconditions are missing shows no difference.
      return false;
    }
  }

  /** Returns the resources that the second variant still holds after all programs. */
  List<String> leaks() throws Exception {
    return second.leaks();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
