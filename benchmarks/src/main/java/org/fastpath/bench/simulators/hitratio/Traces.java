package org.fastpath.bench.simulators.hitratio;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import org.fastpath.bench.engine.Zipf;

/**
 * Generates reads of a RegionServer from a seed. A table has 100,000 blocks of one size unless
 * stated otherwise. Ranks of popularity are scattered over the table, like HBase's keys.
 */
final class Traces {
  private static final int BLOCKS = 100_000;

  private final int reads;
  private final long seed;

  Traces(int reads, long seed) {
    this.reads = reads;
    this.seed = seed;
  }

  /** Returns all traces. The loops depend on the cache's size. */
  List<Trace> all(double cacheShare) {
    return List.of(
        zipfWithScans(0),
        zipfWithScans(10),
        zipfWithScans(30),
        zipfWithScans(50),
        zipf(0.7),
        zipf(0.9),
        zipf(1.0),
        zipf(1.2),
        loop(1.1, cacheShare),
        loop(2, cacheShare),
        shifting(),
        drifting(),
        recency(),
        trace("PE randomRead", even(random())),
        trace("PE sequentialRead", sequential(random())),
        trace("PE scanRange100", scans(random())),
        mixed(),
        ycsbZipfian(),
        ycsbLatest(),
        ycsbScans(),
        sizes());
  }

  private Trace zipfWithScans(int percent) {
    Random random = random();
    IntSupplier hot = scattered(BLOCKS, 0.99, random);
    int[] blocks = new int[reads];
    BitSet scans = new BitSet();
    int[] scan = {0, 0};
    for (int i = 0; i < reads; i++) {
      scans.set(i, random.nextInt(100) < percent);
      if (!scans.get(i)) {
        blocks[i] = hot.getAsInt();
      } else {
        blocks[i] = range(scan, scan[1] == 0 ? random.nextInt(BLOCKS) : 0, BLOCKS / 4);
      }
    }
    return new Trace("Zipf 0.99, scans " + percent + " %", blocks, scans, ones());
  }

  private Trace zipf(double exponent) {
    return trace("Zipf " + exponent, scattered(BLOCKS, exponent, random()));
  }

  /** Reads the same blocks repeatedly; they are larger than the cache. */
  private Trace loop(double times, double cacheShare) {
    int blocks = (int) (times * cacheShare * BLOCKS);
    int[] next = {0};
    return trace("loop of " + times + " caches", () -> next[0]++ % blocks);
  }

  /** Changes all hot blocks after each tenth of the trace. */
  private Trace shifting() {
    Random random = random();
    Zipf zipf = Zipf.ranks(BLOCKS, 0.99);
    int[][] tables = new int[10][];
    Arrays.setAll(tables, i -> Zipf.shuffled(BLOCKS, random));
    int[] i = {0};
    return trace(
        "hot set moves",
        () -> tables[(int) (i[0]++ * 10L / reads)][zipf.item(random.nextDouble())]);
  }

  /** Moves the hot blocks through the table: one rank's block changes every few reads. */
  private Trace drifting() {
    Random random = random();
    Zipf zipf = Zipf.ranks(BLOCKS, 0.99);
    int[] table = Zipf.shuffled(BLOCKS, random);
    int[] i = {0};
    return trace(
        "hot set drifts",
        () -> {
          if (++i[0] % 10 == 0) {
            int a = random.nextInt(BLOCKS);
            int b = zipf.item(random.nextDouble());
            int block = table[a];
            table[a] = table[b];
            table[b] = block;
          }
          return table[zipf.item(random.nextDouble())];
        });
  }

  /** Reads recently read blocks again; no block is more popular in itself. */
  private Trace recency() {
    Random random = random();
    Zipf distance = Zipf.ranks(BLOCKS, 0.8);
    int[] byLastRead = new int[BLOCKS];
    Arrays.setAll(byLastRead, i -> BLOCKS - 1 - i);
    return trace(
        "recency",
        () -> {
          int others = distance.item(random.nextDouble());
          int block = byLastRead[others];
          System.arraycopy(byLastRead, 0, byLastRead, 1, others);
          byLastRead[0] = block;
          return block;
        });
  }

  /** PerformanceEvaluation randomRead: rows with equal frequencies. */
  private static IntSupplier even(Random random) {
    return () -> random.nextInt(BLOCKS);
  }

  /** PerformanceEvaluation sequentialRead: gets of row after row, 16 rows a block, 4 clients. */
  private static IntSupplier sequential(Random random) {
    int[] places = new int[4];
    int part = BLOCKS / places.length;
    return () -> {
      int client = random.nextInt(places.length);
      return client * part + places[client]++ / 16 % part;
    };
  }

  /** PerformanceEvaluation scanRange100: 100 rows from a random start, 16 rows a block. */
  private static IntSupplier scans(Random random) {
    int[] scan = {0, 0};
    return () -> range(scan, random.nextInt(BLOCKS), 7);
  }

  private static int range(int[] scan, int start, int length) {
    if (scan[1] == 0) {
      scan[0] = start;
      scan[1] = length;
    }
    scan[1]--;
    return scan[0]++ % BLOCKS;
  }

  /** The three of PerformanceEvaluation together with clients that read by Zipf's law. */
  private Trace mixed() {
    Random random = random();
    IntSupplier hot = scattered(BLOCKS, 0.99, random);
    List<IntSupplier> clients = List.of(even(random), sequential(random), scans(random), hot);
    return trace("PE mixed", () -> clients.get(random.nextInt(4)).getAsInt());
  }

  /** YCSB A, B and C have the same reads: rows scrambled over the table, 16 a block. */
  private Trace ycsbZipfian() {
    IntSupplier rows = scattered(BLOCKS * 16, 0.99, random());
    return trace("YCSB A-C, zipfian", () -> rows.getAsInt() / 16);
  }

  /** YCSB D: recently written rows are read most; one write in twenty reads. */
  private Trace ycsbLatest() {
    Random random = random();
    Zipf zipf = Zipf.ranks(BLOCKS * 8, 0.99);
    int[] rows = {BLOCKS * 8};
    return trace(
        "YCSB D, latest",
        () -> {
          if (random.nextInt(20) == 0) {
            rows[0] = Math.min(rows[0] + 1, BLOCKS * 16);
          }
          return (rows[0] - 1 - zipf.item(random.nextDouble())) / 16;
        });
  }

  /** YCSB E: scans of up to 100 rows from scrambled zipfian starts. */
  private Trace ycsbScans() {
    Random random = random();
    IntSupplier starts = scattered(BLOCKS, 0.99, random);
    int[] scan = {0, 0};
    return trace(
        "YCSB E, short scans",
        () -> range(scan, scan[1] == 0 ? starts.getAsInt() : 0, 1 + random.nextInt(7)));
  }

  private Trace sizes() {
    Random random = random();
    IntSupplier hot = scattered(BLOCKS, 0.99, random);
    int[] lengths = new int[BLOCKS];
    Arrays.setAll(lengths, i -> 1 << random.nextInt(6));
    return trace("Zipf 0.99, sizes 1-32", hot, lengths);
  }

  /** Returns items by Zipf's law whose ranks are scattered. */
  private static IntSupplier scattered(int items, double exponent, Random random) {
    Zipf zipf = Zipf.ranks(items, exponent);
    int[] table = Zipf.shuffled(items, random);
    return () -> table[zipf.item(random.nextDouble())];
  }

  private Trace trace(String name, IntSupplier next) {
    return trace(name, next, ones());
  }

  private Trace trace(String name, IntSupplier next, int... lengths) {
    int[] blocks = new int[reads];
    Arrays.setAll(blocks, i -> next.getAsInt());
    return new Trace(name, blocks, new BitSet(), lengths);
  }

  private Random random() {
    return new Random(seed);
  }

  private static int[] ones() {
    int[] ones = new int[BLOCKS];
    Arrays.fill(ones, 1);
    return ones;
  }
}
