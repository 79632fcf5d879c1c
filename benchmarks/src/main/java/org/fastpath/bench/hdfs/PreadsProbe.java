package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Positional reads of a {@link DoubleFile} as a RegionServer makes them: one stream for all
 * threads, into direct buffers, without HDFS's checksums, because HBase verifies its own. Positions
 * are random, and no read crosses from one HDFS block into the next. What was read is compared with
 * what the file holds there.
 */
final class PreadsProbe implements ClientProbe {
  static final String BLOCK = "block";
  static final String READ = "read";
  static final String THREADS = "threads";
  static final String WARM_UP = "warm-up millis";
  static final String MEASURED = "measured millis";

  /** A key of the client's configuration: one of {@link Reads}. */
  static final String READS = "fastpath.preads.reads";

  static final String TIME = "preads.time";
  static final String RATE = "preads.rate";
  static final String CPU = "preads.cpu";

  /** How it gets at the bytes. */
  enum Reads {
    /** By the stream, into a buffer of the reader's. */
    COPIED,
    /** By the stream, without a copy. */
    SLICED,
    /** Not by the stream: out of memory that it fills beforehand. */
    MEMORY
  }

  private static final double MICROS = 1e3;
  private static final double NANOS = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long SEED = 2014;

  @Override
  public void measure(Configuration conf, Params params, Sink sink) throws IOException {
    String[] threads = params.text(THREADS).split(",");
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.setVerifyChecksum(false);
      try (FSDataInputStream in = files.open(new Path(params.text(PATH)))) {
        PositionalReads reads = reads(conf, in, params);
        for (int i = 0; i < threads.length; i++) {
          Readers readers = new Readers(reads, params, Integer.parseInt(threads[i]));
          readers.run(params.number(WARM_UP));
          report(readers, params.number(MEASURED), sink);
          sink.progress(i + 1, threads.length);
        }
      }
    }
  }

  private static PositionalReads reads(Configuration conf, FSDataInputStream in, Params params) {
    return switch (conf.getEnum(READS, Reads.COPIED)) {
      case COPIED -> new CopiedReads(in);
      case SLICED -> SlicedReads.of(in);
      case MEMORY -> new MemoryReads(new DoubleFile(params.bytes(BYTES)), params.number(BLOCK));
    };
  }

  private static void report(Readers readers, int millis, Sink sink) throws IOException {
    String threads = Integer.toString(readers.threads);
    long cpu = OwnCpu.nanos();
    long begin = System.nanoTime();
    double reads = readers.run(millis);
    double nanos = System.nanoTime() - begin;
    cpu = OwnCpu.nanos() - cpu;
    sink.figure(TIME, threads, "µs/read", nanos * readers.threads / reads / MICROS);
    sink.figure(RATE, threads, "reads/s", reads / nanos * NANOS);
    sink.figure(CPU, threads, "µs/read", cpu / reads / MICROS);
  }

  /** Threads that read until time is up. */
  private static final class Readers {
    private final PositionalReads reads;
    private final int threads;
    private final long blocks;
    private final long block;
    private final int length;

    Readers(PositionalReads reads, Params params, int threads) {
      this.reads = reads;
      this.threads = threads;
      this.block = params.bytes(BLOCK);
      this.blocks = params.bytes(BYTES) / block;
      this.length = params.number(READ);
    }

    /** Returns how many reads there were. */
    long run(int millis) throws IOException {
      long deadline = System.nanoTime() + millis * NANOS_PER_MILLI;
      List<Callable<Long>> readers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long seed = SEED + i;
        readers.add(() -> read(new SplittableRandom(seed), deadline));
      }
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        long reads = 0;
        for (Future<Long> reader : pool.invokeAll(readers)) {
          reads += reader.get();
        }
        return reads;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while reading", e);
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } finally {
        pool.shutdownNow();
      }
    }

    private long read(SplittableRandom random, long deadline) throws IOException {
      PositionalReads.Reader reader = reads.reader(length);
      long count = 0;
      while (System.nanoTime() - deadline < 0) {
        long inBlock = random.nextLong((block - length) / Double.BYTES + 1) * Double.BYTES;
        reader.read(random.nextLong(blocks) * block + inBlock);
        count++;
      }
      return count;
    }
  }
}
