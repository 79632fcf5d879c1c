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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Pause;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * Reads a {@link DoubleFile} by position like a RegionServer. All threads share one stream and read
 * into direct buffers. HDFS's checksums are off, because HBase verifies its own. Positions are
 * random, and no read crosses the end of an HDFS block. Read bytes are compared with the file's.
 */
final class PreadsProbe implements Lines.Probe {
  static final String BLOCK = "block";
  static final String READ = "read";
  static final String THREADS = "threads";
  static final String WARM_UP = "warm-up millis";
  static final String MEASURED = "measured millis";

  /** A key of the client's configuration: one of {@link Reads}. */
  static final String READS = "fastpath.preads.reads";

  /** The way of a read. */
  enum Reads {
    /** Through the stream, into the reader's buffer. */
    COPIED,
    /** Through the stream, without a copy. */
    SLICED,
    /**
     * Without the stream, from memory of the process that contains the whole file. That is a lower
     * bound for any read that copies.
     */
    MEMORY
  }

  private static final double MICROS = 1e3;
  private static final double NANOS = 1e9;
  private static final long SEED = 2014;

  /**
   * A slice is compared once in so many reads. A cache miss of memory takes longer than the rest,
   * and any kind of read has that cost.
   */
  private static final int COMPARED = 64;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private FSDataInputStream in;
  private List<ByteBuffer> memory = List.of();
  private long block;
  private int length;
  private long blocks;

  /** Reads for one thread. */
  private interface Reader {
    /** Reads at a position and compares the first and the last number with the file's. */
    void read(long position) throws IOException;
  }

  @Override
  public void measure(Map<String, String> params, Lines.Sink sink) throws IOException {
    Configuration conf = new HdfsConfiguration();
    Reads reads = conf.getEnum(READS, Reads.COPIED);
    DoubleFile file = new DoubleFile(Long.parseLong(params.get(CachedFile.BYTES)));
    block = Long.parseLong(params.get(BLOCK));
    length = Integer.parseInt(params.get(READ));
    blocks = file.bytes() / block;
    if (reads == Reads.MEMORY) {
      memory = file.inMemory((int) block);
    }
    try (FileSystem files = FileSystem.newInstance(conf)) {
      files.setVerifyChecksum(false);
      try (FSDataInputStream opened = files.open(new Path(params.get(CachedFile.PATH)))) {
        in = opened;
        String[] counts = params.get(THREADS).split(",");
        for (int i = 0; i < counts.length; i++) {
          run(reads, Integer.parseInt(counts[i]), Long.parseLong(params.get(WARM_UP)));
          measure(reads, counts[i], Long.parseLong(params.get(MEASURED)), sink);
          sink.progress(i + 1, counts.length);
        }
      }
    }
  }

  private void measure(Reads reads, String threads, long millis, Lines.Sink sink)
      throws IOException {
    int count = Integer.parseInt(threads);
    long cpu = CachedFile.cpuNanos();
    long begin = System.nanoTime();
    double done = run(reads, count, millis);
    double nanos = System.nanoTime() - begin;
    cpu = CachedFile.cpuNanos() - cpu;
    sink.figure("preads.time", threads, "µs/read", nanos * count / done / MICROS);
    sink.figure("preads.rate", threads, "reads/s", done / nanos * NANOS);
    sink.figure("preads.cpu", threads, "µs/read", cpu / done / MICROS);
  }

  /** Reads with several threads for some time; returns the number of reads. */
  private long run(Reads reads, int threads, long millis) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = new SplittableRandom(SEED + i);
        readers.add(pool.submit(() -> readUntil(deadline, reader(reads), random)));
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

  private long readUntil(long deadline, Reader reader, SplittableRandom random) throws IOException {
    long count = 0;
    while (System.nanoTime() - deadline < 0) {
      long inBlock = random.nextLong((block - length) / Double.BYTES + 1) * Double.BYTES;
      reader.read(random.nextLong(blocks) * block + inBlock);
      count++;
    }
    return count;
  }

  private Reader reader(Reads reads) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    return switch (reads) {
      case COPIED ->
          position -> {
            in.readFully(position, buffer.clear());
            check(buffer, position);
          };
      case MEMORY ->
          position -> {
            buffer.put(0, memory.get((int) (position / block)), (int) (position % block), length);
            check(buffer, position);
          };
      case SLICED -> new Slices();
    };
  }

  /** Takes slices and releases them. */
  private final class Slices implements Reader {
    private int untilCompared;

    @Override
    public void read(long position) throws IOException {
      try (Slice slice = slice(position)) {
        if (untilCompared-- == 0) {
          untilCompared = COMPARED;
          check(slice.buffer().duplicate().order(ByteOrder.nativeOrder()), position);
        }
      }
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
  }

  private void check(ByteBuffer bytes, long position) throws IOException {
    for (int at : new int[] {0, length - Double.BYTES}) {
      if (bytes.getDouble(at) != DoubleFile.valueAt(position + at)) {
        throw new IOException("wrong bytes at " + (position + at));
      }
    }
  }
}
