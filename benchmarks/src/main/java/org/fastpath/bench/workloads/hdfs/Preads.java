package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures positional reads of a file in the DataNode's locked memory, with the size of HBase's
 * blocks and several client set-ups.
 */
@Command(
    name = "preads",
    header = "Positional reads of a file in the DataNode's cache",
    description =
        "Positional reads of a file in the DataNode's memory, as a RegionServer makes them: time and CPU time per read,"
            + " reads per second. Sides: hbase-defaults; stock-best, without read-ahead; ours, from a mapping. Side"
            + " ours-slices takes slices without a copy; side memory is a bare copy of process memory.")
@Experiment.Quick("--rounds 1 --size 64 --block 64 --threads 1 --warm-up 1 --seconds 1")
public final class Preads extends CachedFileExperiment {
  private static final String OURS = "ours";
  private static final String BLOCK = "bench.block";
  private static final String READ = "bench.read";
  private static final String THREADS = "bench.threads";
  private static final String WARM_UP = "bench.warm-up-millis";
  private static final String MEASURED = "bench.measured-millis";

  private static final String READS = "bench.reads";

  /**
   * The way of a read: into the reader's buffer, as a slice without a copy, or from memory of the
   * process with the whole file. The last one is a lower bound for any read that copies.
   */
  private enum Reads {
    COPIED,
    SLICED,
    MEMORY
  }

  private static final Variant STOCK_BEST =
      withoutReadahead("stock-best", "stock HDFS client at its best, without read-ahead");

  private static final Variant MAPPED =
      mapped(OURS, "reads out of mappings", "which the process shares");

  private static final List<Variant> VARIANTS =
      List.of(
          client("hbase-defaults", "stock HDFS client as HBase configures it"),
          STOCK_BEST,
          MAPPED,
          mapped("ours-slices", "slices of these mappings", "which copy nothing")
              .conf(READS, Reads.SLICED),
          withoutReadahead(
                  "memory",
                  "one copy out of memory of the process, which no reading that copies is faster than")
              .conf(READS, Reads.MEMORY));

  @Mixin private Options.Times times = new Options.Times(4, 4);

  @Option(names = "--read", paramLabel = "KB", converter = Options.Positive.class)
  private int read = 64;

  @Option(names = "--threads", split = ",", converter = Options.Positive.class)
  private List<Integer> threads = List.of(1, 2);

  /** Sets the default size. */
  public Preads() {
    super(512);
  }

  /** Returns a client with HBase's settings for short-circuit reads in a RegionServer. */
  private static Variant client(String id, String description) {
    return Variant.stock(id, description, true, true)
        .conf("dfs.client.read.shortcircuit.buffer.size", 128 << 10);
  }

  /** Returns a client whose reads do not fill a buffer for the next one. */
  private static Variant withoutReadahead(String id, String description) {
    return client(id, description).conf("dfs.client.cache.readahead", 0);
  }

  private static Variant mapped(String id, String description, String more) {
    return withoutReadahead(id, description)
        .with(more, Layout.ZCR_JAR)
        .conf("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem");
  }

  @Override
  protected void check() {
    atLeast("--size", block, size);
    atLeast("--block in KB", read, block << 10);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(OURS);
    Map<String, String> params = new Params().with("size", read << 10);
    String counts = threads.stream().map(String::valueOf).collect(Collectors.joining(","));
    Map<String, String> settings =
        settings(block, read, counts, times.warmUp * 1000, times.seconds * 1000);
    measure(run, VARIANTS, Probe.class, settings, params, "threads");
  }

  private static Map<String, String> settings(
      int block, int read, String threads, int warmUpMillis, int millis) {
    return new Params()
        .with(BLOCK, (long) block << 20)
        .with(READ, read << 10)
        .with(THREADS, threads)
        .with(WARM_UP, warmUpMillis)
        .with(MEASURED, millis);
  }

  /**
   * Reads 64 KiB at a time with one thread of a new process: {@code preads.time} and {@code
   * preads.cpu}, in µs.
   *
   * @param ours whether the client has our jar; else it is the stock client at its best
   */
  public static Lines read(CachedFile file, int block, boolean ours, int millis, Console.Step step)
      throws IOException {
    Map<String, String> settings = settings(block, 64, "1", millis, millis);
    return file.read(ours ? MAPPED : STOCK_BEST, Probe.class, settings, options -> {}, step);
  }

  /**
   * Reads a {@link DoubleFile} by position like a RegionServer. All threads share one stream and
   * read into direct buffers. HDFS's checksums are off, because HBase verifies its own. Positions
   * are random, and no read crosses the end of an HDFS block. Read bytes are compared with the
   * file's.
   */
  static final class Probe extends FileProbe {
    private static final long SEED = 2014;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private final Reads reads = conf.getEnum(READS, Reads.COPIED);
    private final long block = conf.getLong(BLOCK, 0);
    private final long blocks = file.bytes() / block;
    private final int length = conf.getInt(READ, 0);
    private final List<ByteBuffer> memory =
        reads == Reads.MEMORY ? file.inMemory((int) block) : List.of();

    @Override
    boolean verifiesChecksums() {
      return false;
    }

    @Override
    void measure() throws IOException {
      int[] counts = conf.getInts(THREADS);
      for (int i = 0; i < counts.length; i++) {
        run(counts[i], conf.getLong(WARM_UP, 0));
        measure(counts[i]);
        sink.progress(i + 1, counts.length);
      }
    }

    private void measure(int threads) throws IOException {
      long cpu = cpuNanos();
      long begin = System.nanoTime();
      double done = run(threads, conf.getLong(MEASURED, 0));
      double nanos = System.nanoTime() - begin;
      cpu = cpuNanos() - cpu;
      String variant = Integer.toString(threads);
      sink.figure("preads.time", variant, "µs/read", nanos * threads / done / 1e3);
      sink.figure("preads.rate", variant, "reads/s", done / nanos * 1e9);
      sink.figure("preads.cpu", variant, "µs/read", cpu / done / 1e3);
    }

    /** Reads with several threads for some time; returns the number of reads. */
    private long run(int threads, long millis) throws IOException {
      long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          SplittableRandom random = new SplittableRandom(SEED + i);
          readers.add(pool.submit(() -> readUntil(deadline, random)));
        }
        long count = 0;
        for (Future<Long> reader : readers) {
          count += Pause.await(reader);
        }
        return count;
      } finally {
        pool.shutdownNow();
      }
    }

    private long readUntil(long deadline, SplittableRandom random) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      long count = 0;
      while (System.nanoTime() - deadline < 0) {
        long inBlock = random.nextLong((block - length) / Double.BYTES + 1) * Double.BYTES;
        long position = random.nextLong(blocks) * block + inBlock;
        switch (reads) {
          case COPIED -> {
            in.readFully(position, buffer.clear());
            check(buffer, position);
          }
          case MEMORY -> {
            buffer.put(0, memory.get((int) (position / block)), (int) (position % block), length);
            check(buffer, position);
          }
          case SLICED -> {
            try (Slice slice = slice(position)) {
              // A cache miss of memory takes longer than the rest, so one in 64 is compared.
              if (count % 64 == 0) {
                check(slice.buffer().duplicate().order(ByteOrder.nativeOrder()), position);
              }
            }
          }
        }
        count++;
      }
      return count;
    }

    /** Returns a slice. While one thread maps a block, other threads retry. */
    private Slice slice(long position) throws IOException {
      long begin = System.nanoTime();
      do {
        Slice slice = ((ZeroCopyInputStream) in).slice(position, length);
        if (slice != null) {
          return slice;
        }
        Thread.onSpinWait();
      } while (System.nanoTime() - begin < PATIENCE_NANOS);
      throw new IOException("no slice at " + position + ": the block is not in locked memory");
    }

    /** Compares the first and the last number with the file's. */
    private void check(ByteBuffer bytes, long position) throws IOException {
      for (int at : new int[] {0, length - Double.BYTES}) {
        if (bytes.getDouble(at) != DoubleFile.valueAt(position + at)) {
          throw new IOException("wrong bytes at " + (position + at));
        }
      }
    }
  }
}
