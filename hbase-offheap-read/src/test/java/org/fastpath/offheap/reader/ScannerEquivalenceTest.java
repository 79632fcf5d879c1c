package org.fastpath.offheap.reader;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.fastpath.offheap.reader.HFileSamples.Sample;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's scanner and ours give the same results, on files of all shapes and from caches of all
 * kinds: see {@link ScannerPair}.
 *
 * <p>It does a million operations. The system property {@code equivalence.operations} sets another
 * number, and the profile {@code nightly} a larger one. The seed is printed and part of each
 * failure. {@code -Dequivalence.seed=SEED -Dequivalence.file=NUMBER} repeats the operations on one
 * file.
 */
class ScannerEquivalenceTest {
  private static final long OPERATIONS = Long.getLong("equivalence.operations", 1_000_000);
  private static final long SEED = Long.getLong("equivalence.seed", System.nanoTime());
  private static final int FILE = Integer.getInteger("equivalence.file", -1);
  private static final int FEWEST_PER_FILE = 500;
  private static final int MAX_PER_FILE = 8_000;

  /** The most operations on long rows; operations on keys of 32 KB are slow. */
  private static final int MAX_OF_LONG_ROWS = 1_000;

  private final Configuration conf = HBaseConfiguration.create();

  @TempDir Path directory;

  /** Each of two runs takes every other file, so two processors are used. */
  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @ValueSource(ints = {0, 1})
  void oursDoesWhatHBasesDoes(int first) throws IOException {
    System.out.println("equivalence.seed=" + SEED);
    HFileSamples samples = new HFileSamples(conf, directory);
    try (ReadCaches caches = new ReadCaches(conf, new SplittableRandom(SEED))) {
      if (FILE >= 0) {
        compare(samples, caches, FILE);
        return;
      }
      long done = 0;
      for (int file = first; done < OPERATIONS / 2; file += 2) {
        done += compare(samples, caches, file);
      }
    }
  }

  private int compare(HFileSamples samples, ReadCaches caches, int file) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED + file);
    ReadCaches.Kind[] kinds = ReadCaches.Kind.values();
    int encodings = HFileShape.ENCODINGS.size();
    HFileShape shape = HFileShape.random(random, HFileShape.ENCODINGS.get(file % encodings));
    ReadCaches.Kind kind = kinds[file / encodings % kinds.length];
    Sample sample = samples.write(shape, random.nextLong());
    int operations = operations(sample);
    try (EquivalenceRun run =
        new EquivalenceRun(conf, sample, caches, kind, random.nextBoolean(), random)) {
      run.run(operations);
    } catch (AssertionError e) {
      throw new AssertionError(
          "-Dequivalence.seed=" + SEED + " -Dequivalence.file=" + file + ": " + e.getMessage(), e);
    }
    return operations;
  }

  private static int operations(Sample sample) {
    int most = sample.shape().rows() == HFileShape.Rows.LONG ? MAX_OF_LONG_ROWS : MAX_PER_FILE;
    return Math.min(most, Math.max(FEWEST_PER_FILE, 20 * sample.cells().size()));
  }
}
