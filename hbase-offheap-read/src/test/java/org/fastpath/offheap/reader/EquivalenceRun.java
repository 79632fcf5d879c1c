package org.fastpath.offheap.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFile;
import org.fastpath.offheap.reader.HFileSamples.Sample;

/**
 * Does random operations on several {@link ScannerPair}s of one file, in turn. If there is a
 * difference, the run removes steps as long as the difference remains, and reports the rest.
 *
 * <p>Not thread-safe; {@link #close} closes the file.
 */
final class EquivalenceRun implements AutoCloseable {
  private static final int PAIRS = 3;
  private static final int MAX_REPLAYS = 300;

  private final Configuration conf;
  private final Sample sample;
  private final ReadCaches caches;
  private final ReadCaches.Kind cache;
  private final HFile.Reader stock;
  private final HFile.Reader ours;
  private final OffHeapHFile file;
  private final SplittableRandom random;
  private final SearchKeys keys;

  /**
   * An operation on a pair.
   *
   * @param flags flags of a scanner that is opened
   * @param key the searched key, or null
   */
  private record Step(int pair, Operation operation, int flags, Cell key) {
    @Override
    public String toString() {
      String argument =
          switch (operation) {
            case REOPEN ->
                "cacheBlocks " + has(0) + ", pread " + has(1) + ", isCompaction " + has(2);
            default ->
                key == null
                    ? ""
                    : key.getClass().getSimpleName() + " " + CellUtil.toString(key, false);
          };
      return pair + " " + operation + " " + argument;
    }

    boolean has(int flag) {
      return (flags >> flag & 1) != 0;
    }
  }

  /**
   * Opens a file.
   *
   * @param compressed whether the cache keeps blocks of a compressed file compressed
   */
  EquivalenceRun(
      Configuration conf,
      Sample sample,
      ReadCaches caches,
      ReadCaches.Kind cache,
      boolean compressed,
      SplittableRandom random)
      throws IOException {
    this.conf = conf;
    this.sample = sample;
    this.caches = caches;
    this.random = random;
    this.stock = sample.open(conf, caches.reference());
    this.cache = cache;
    this.ours = sample.open(conf, caches.config(this.cache, compressed));
    this.file = new OffHeapHFile(ours, conf);
    try (HFileScanner scanner = stock.getScanner(conf, true, true, false)) {
      keys = new SearchKeys(sample, scanner, random);
    }
  }

  /** Does the given number of operations; fails at the first difference. */
  void run(int operations) throws IOException {
    List<Step> steps = new ArrayList<>();
    Replay replay = new Replay();
    try {
      for (int i = 0; i < operations; i++) {
        Step step = step(i);
        steps.add(step);
        replay.apply(step);
      }
      replay.close();
    } catch (AssertionError | RuntimeException | IOException e) {
      replay.abandon();
      throw report(steps, e);
    }
  }

  /** Returns a step. The first steps open the scanners. */
  private Step step(int number) {
    Operation operation = number < PAIRS ? Operation.REOPEN : Operation.random(random);
    return new Step(
        number < PAIRS ? number : random.nextInt(PAIRS),
        operation,
        random.nextInt(8),
        operation.hasKey() ? keys.next() : null);
  }

  private AssertionError report(List<Step> steps, Throwable failure) {
    List<Step> fewest = new Reduction(kind(failure)).reduce(steps);
    Throwable last = failureOf(fewest);
    String listed =
        fewest.stream()
            .skip(Math.max(0, fewest.size() - 30))
            .map(Step::toString)
            .collect(Collectors.joining("\n  "));
    return new AssertionError(
        String.format(
            "%s%nat operation %d; cache %s, %s%n%d of the operations suffice and fail with: %s%n"
                + "  %s",
            failure, steps.size(), cache, sample.shape(), fewest.size(), last, listed),
        failure);
  }

  /** Returns the kind of a failure, without the parts that change each time. */
  private static String kind(Throwable failure) {
    return failure == null
        ? ""
        : failure.toString().replaceFirst("(AssertionError: [^:]*).*", "$1");
  }

  /** Does the steps with new scanners. Returns the failure, or null. */
  private Throwable failureOf(List<Step> steps) {
    caches.evict(cache, sample.path().getName());
    Replay replay = new Replay();
    try {
      for (Step step : steps) {
        replay.apply(step);
      }
      replay.close();
      return null;
    } catch (AssertionError | RuntimeException | IOException e) {
      replay.abandon();
      return e;
    }
  }

  /** The scanners of a replay. */
  private final class Replay {
    private final ScannerPair[] pairs = new ScannerPair[PAIRS];
    private final long held = caches.held(cache);

    void apply(Step step) throws IOException {
      switch (step.operation()) {
        case EVICT -> caches.evict(cache, sample.path().getName());
        case REOPEN -> reopen(step);
        default -> {
          if (pairs[step.pair()] != null) {
            pairs[step.pair()].apply(step.operation(), step.key());
          }
        }
      }
    }

    private void reopen(Step step) {
      close(step.pair());
      boolean cacheBlocks = step.has(0);
      boolean pread = step.has(1);
      boolean isCompaction = step.has(2);
      HFileScanner theirs = stock.getScanner(conf, cacheBlocks, pread, isCompaction);
      HFileScanner mine = file.scanner(cacheBlocks, pread, isCompaction);
      pairs[step.pair()] = new ScannerPair(sample, theirs, mine);
    }

    private void close(int pair) {
      ScannerPair open = pairs[pair];
      pairs[pair] = null;
      if (open != null) {
        open.close();
      }
    }

    void close() {
      for (int i = 0; i < PAIRS; i++) {
        close(i);
      }
      long more = caches.held(cache) - held;
      if (more > 0) {
        throw new AssertionError("not everything was given back: " + more);
      }
    }

    /** Closes the scanners after one of them has failed. */
    void abandon() {
      for (ScannerPair pair : pairs) {
        if (pair != null) {
          pair.abandon();
        }
      }
    }
  }

  /** Removes as many steps as possible, by halves, quarters and so on. */
  private final class Reduction {
    private final String kind;
    private int replays;

    Reduction(String kind) {
      this.kind = kind;
    }

    List<Step> reduce(List<Step> steps) {
      List<Step> fewest = steps;
      for (int chunk = steps.size() / 2; chunk > 0; chunk /= 2) {
        for (int at = 0; at < fewest.size() && replays < MAX_REPLAYS; ) {
          List<Step> fewer = new ArrayList<>(fewest);
          fewer.subList(at, Math.min(at + chunk, fewer.size())).clear();
          replays++;
          if (kind.equals(kind(failureOf(fewer)))) {
            fewest = fewer;
          } else {
            at += chunk;
          }
        }
      }
      return fewest;
    }
  }

  @Override
  public void close() throws IOException {
    stock.close();
    ours.close();
  }
}
