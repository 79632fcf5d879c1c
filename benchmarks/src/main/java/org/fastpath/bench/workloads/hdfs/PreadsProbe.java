package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.fastpath.bench.engine.Lines;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * Reads a {@link DoubleFile} by position like a RegionServer. All threads share one stream and read
 * into direct buffers. HDFS's checksums are off, because HBase verifies its own. Positions are
 * random, and no read crosses the end of an HDFS block. Read bytes are compared with the file's.
 */
final class PreadsProbe implements HdfsClient.Probe {
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

  /** The way of a read. */
  enum Reads {
    /** Through the stream, into the reader's buffer. */
    COPIED,
    /** Through the stream, without a copy. */
    SLICED,
    /** Without the stream, from memory that is filled before. */
    MEMORY
  }

  private static final double MICROS = 1e3;
  private static final double NANOS = 1e9;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long SEED = 2014;

  @Override
  public void measure(Configuration conf, HdfsClient.Params params, Lines.Sink sink)
      throws IOException {
    String[] threads = params.text(THREADS).split(",");
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.setVerifyChecksum(false);
      try (FSDataInputStream in = files.open(new Path(params.text(HdfsClient.PATH)))) {
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

  private static PositionalReads reads(
      Configuration conf, FSDataInputStream in, HdfsClient.Params params) {
    return switch (conf.getEnum(READS, Reads.COPIED)) {
      case COPIED -> new CopiedReads(in);
      case SLICED -> SlicedReads.of(in);
      case MEMORY ->
          new MemoryReads(new DoubleFile(params.bytes(HdfsClient.BYTES)), params.number(BLOCK));
    };
  }

  private static void report(Readers readers, int millis, Lines.Sink sink) throws IOException {
    String threads = Integer.toString(readers.threads);
    long cpu = HdfsClient.cpuNanos();
    long begin = System.nanoTime();
    double reads = readers.run(millis);
    double nanos = System.nanoTime() - begin;
    cpu = HdfsClient.cpuNanos() - cpu;
    sink.figure(TIME, threads, "µs/read", nanos * readers.threads / reads / MICROS);
    sink.figure(RATE, threads, "reads/s", reads / nanos * NANOS);
    sink.figure(CPU, threads, "µs/read", cpu / reads / MICROS);
  }

  /** Threads that read until the time is over. */
  private static final class Readers {
    private final PositionalReads reads;
    private final int threads;
    private final long blocks;
    private final long block;
    private final int length;

    Readers(PositionalReads reads, HdfsClient.Params params, int threads) {
      this.reads = reads;
      this.threads = threads;
      this.block = params.bytes(BLOCK);
      this.blocks = params.bytes(HdfsClient.BYTES) / block;
      this.length = params.number(READ);
    }

    /** Returns the number of reads. */
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

  /**
   * Copies from memory of the process that contains the whole file. That is a lower bound for any
   * read that copies.
   */
  static final class MemoryReads implements PositionalReads {
    private final List<ByteBuffer> blocks;
    private final int blockBytes;

    /** Fills memory in pieces of the file's HDFS blocks. */
    MemoryReads(DoubleFile file, int blockBytes) {
      this.blockBytes = blockBytes;
      blocks = file.inMemory(blockBytes);
    }

    @Override
    public Reader reader(int length) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      return position -> {
        ByteBuffer block = blocks.get((int) (position / blockBytes));
        buffer.put(0, block, (int) (position % blockBytes), length);
        PositionalReads.checkEnds(buffer, position, length);
      };
    }
  }

  /** Reads into a direct buffer and compares both ends. */
  static final class CopiedReads implements PositionalReads {
    private final FSDataInputStream in;

    CopiedReads(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public Reader reader(int length) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      return position -> {
        in.readFully(position, buffer.clear());
        PositionalReads.checkEnds(buffer, position, length);
      };
    }
  }

  /**
   * Takes slices and releases them. Only some are compared. A cache miss of memory takes longer
   * than the rest, and any kind of read has that cost.
   */
  static final class SlicedReads implements PositionalReads {
    private static final int COMPARED = 64;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final ZeroCopyInputStream in;

    private SlicedReads(ZeroCopyInputStream in) {
      this.in = in;
    }

    static SlicedReads of(FSDataInputStream in) {
      return new SlicedReads((ZeroCopyInputStream) in);
    }

    @Override
    public Reader reader(int length) {
      return new Slices(length);
    }

    private final class Slices implements Reader {
      private final int length;
      private int untilCompared;

      Slices(int length) {
        this.length = length;
      }

      @Override
      public void read(long position) throws IOException {
        try (Slice slice = slice(position)) {
          if (untilCompared-- == 0) {
            untilCompared = COMPARED;
            ByteBuffer bytes = slice.buffer().duplicate().order(ByteOrder.nativeOrder());
            PositionalReads.checkEnds(bytes, position, length);
          }
        }
      }

      /** Returns a slice. While one thread maps a block, other threads retry. */
      private Slice slice(long position) throws IOException {
        long begin = System.nanoTime();
        do {
          Slice slice = in.slice(position, length);
          if (slice != null) {
            return slice;
          }
          Thread.onSpinWait();
        } while (System.nanoTime() - begin < PATIENCE_NANOS);
        throw new IOException("no slice at " + position + ": the block is not in locked memory");
      }
    }
  }

  /** A way to read a {@link DoubleFile} by position from several threads. */
  interface PositionalReads {
    /** Creates a reader for one thread and a fixed length. */
    Reader reader(int length);

    /** Reads for one thread. */
    @FunctionalInterface
    interface Reader {
      /** Reads at a position and compares the bytes. */
      void read(long position) throws IOException;
    }

    /** Fails if the first or the last number differs from the file's. */
    static void checkEnds(ByteBuffer buffer, long position, int length) throws IOException {
      check(buffer, position, 0);
      check(buffer, position, length - Double.BYTES);
    }

    private static void check(ByteBuffer buffer, long position, int index) throws IOException {
      if (buffer.getDouble(index) != DoubleFile.valueAt(position + index)) {
        throw new IOException("wrong bytes at " + (position + index));
      }
    }
  }
}
