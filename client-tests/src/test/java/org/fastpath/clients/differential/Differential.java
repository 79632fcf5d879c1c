package org.fastpath.clients.differential;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs programs on two variants in lockstep, one operation after the other, and compares the
 * outcomes of their clients. Not thread-safe.
 */
final class Differential implements AutoCloseable {
  /** An operation that has ended on neither variant by then is HBase's own endless loop. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * A client gives up a call after that time, by HBase's default. The server may carry it out for
   * good.
   */
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  private static final Outcome ENDLESS = Outcome.of("error does not end");

  private final Variant first;
  private final Variant second;
  private final Counts counts;
  // More than two threads, because one may go on although it was interrupted.
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Duration patience;
  private final Duration callTimeout;
  private int runs;

  Differential(Variant first, Variant second, Counts counts) {
    this(first, second, counts, PATIENCE, CALL_TIMEOUT);
  }

  /**
   * Waits for operations up to given times.
   *
   * @param callTimeout a failure after that time is a call that a client gave up
   */
  Differential(
      Variant first, Variant second, Counts counts, Duration patience, Duration callTimeout) {
    this.first = first;
    this.second = second;
    this.counts = counts;
    this.patience = patience;
    this.callTimeout = callTimeout;
  }

  /** An operation on one variant. */
  @FunctionalInterface
  private interface Work<T> {
    T on(Variant variant) throws Exception;
  }

  /** An operation on one variant without a result. */
  @FunctionalInterface
  private interface Action {
    void on(Variant variant) throws Exception;
  }

  private record Both<T>(T first, T second) {}

  /** An outcome, and whether the client gave up before the server did. */
  private record Ended(Outcome outcome, boolean givenUp) {}

  private <T> Both<T> both(Work<T> work) throws Exception {
    Future<T> one = threads.submit(() -> work.on(first));
    Future<T> other = threads.submit(() -> work.on(second));
    return new Both<>(one.get(), other.get());
  }

  private void onBoth(Action action) throws Exception {
    both(
        variant -> {
          action.on(variant);
          return null;
        });
  }

  /**
   * Carries an operation out on both variants. Returns empty if it ends on neither. Both recover if
   * it does not end on one of them, or if a client gave it up.
   */
  private Optional<Both<Outcome>> apply(Line line) throws Exception {
    long end = System.nanoTime() + patience.toNanos();
    Future<Ended> one = threads.submit(() -> carriedOut(first, line));
    Future<Ended> other = threads.submit(() -> carriedOut(second, line));
    Ended left = ended(one, end);
    Ended right = ended(other, end);
    if (left.givenUp || right.givenUp) {
      onBoth(Variant::recover);
    }
    if (left.givenUp && right.givenUp) {
      counts.endless(line);
      return Optional.empty();
    }
    return Optional.of(new Both<>(left.outcome, right.outcome));
  }

  private Ended carriedOut(Variant variant, Line line) throws Exception {
    long begin = System.nanoTime();
    Outcome outcome = variant.apply(line);
    boolean late = System.nanoTime() - begin >= callTimeout.toNanos();
    return new Ended(outcome, late && outcome.failed());
  }

  private static Ended ended(Future<Ended> operation, long end) throws Exception {
    try {
      return operation.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      operation.cancel(true);
      return new Ended(ENDLESS, true);
    }
  }

  /**
   * Runs a program on new tables, up to the first difference. If a scan's counts differ after a
   * kill, it scans once more. A row of deleted cells counts until a compaction drops it, and after
   * a kill HBase chooses the time of some compactions. An operation that ends on neither variant
   * ends the program.
   */
  Optional<Difference> run(List<Line> program) throws Exception {
    int run = ++runs;
    Times times = new Times(System.currentTimeMillis());
    onBoth(variant -> variant.begin(run, times));
    try {
      return compare(program);
    } finally {
      onBoth(Variant::end);
    }
  }

  private Optional<Difference> compare(List<Line> program) throws Exception {
    counts.program();
    boolean killed = false;
    for (int i = 0; i < program.size(); i++) {
      Line line = program.get(i);
      Optional<Both<Outcome>> outcomes = apply(line);
      if (outcomes.isEmpty()) {
        return Optional.empty();
      }
      counts.add(line, outcomes.get().first());
      Optional<Difference> difference = difference(i, line, outcomes.get());
      killed |= line.verb().equals("kill");
      if (killed && difference.isPresent() && difference.get().isOfCounts()) {
        int index = i;
        Optional<Difference> again = apply(line).flatMap(both -> difference(index, line, both));
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
    threads.shutdownNow();
  }
}
