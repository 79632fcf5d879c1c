package org.fastpath.bench.workloads.volumes;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.fastpath.bench.engine.Pause;

/**
 * Threads that write one file after the other, each as large as a block, until they are stopped.
 * Each then finishes its current file, which counts with its full time.
 */
final class WriteLoad implements AutoCloseable {
  private static final double MEGABYTE = 1 << 20;
  private final Creation creation;
  private final byte[] content;
  private final ExecutorService threads;
  private final List<Future<Void>> writers = new ArrayList<>();
  private final AtomicInteger created = new AtomicInteger();
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  /** Creates files. */
  @FunctionalInterface
  interface Creation {
    /** Creates a file; files are numbered. */
    OutputStream create(int number) throws IOException;
  }

  /** A file, from its creation to its end at the client. */
  private record Write(long begin, long end) {
    /** Returns the part that was written between these times, if the write was even. */
    private double shareBetween(long from, long to) {
      return Math.max(0.0, Math.min(end, to) - Math.max(begin, from)) / (end - begin);
    }
  }

  /**
   * The writes between two times.
   *
   * @param throughput megabytes per second; a file that began before or ended after counts in part
   * @param millis durations of the files that were at least partly written
   */
  record Writes(double throughput, DescriptiveStatistics millis) {
    double medianMillis() {
      return millis.getPercentile(50);
    }

    double tailMillis() {
      return millis.getPercentile(99);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.1f MB/s, write p50 %.0f ms, p99 %.0f ms",
          throughput,
          medianMillis(),
          tailMillis());
    }
  }

  /** Begins to write. */
  WriteLoad(Creation creation, int threadCount, int fileBytes) {
    this.creation = creation;
    this.content = new byte[fileBytes];
    this.threads = Executors.newFixedThreadPool(threadCount);
    for (int i = 0; i < threadCount; i++) {
      writers.add(threads.submit(() -> write()));
    }
  }

  private Void write() throws IOException {
    while (!stopped) {
      long begin = System.nanoTime();
      try (OutputStream out = creation.create(created.incrementAndGet())) {
        out.write(content);
      }
      writes.add(new Write(begin, System.nanoTime()));
    }
    return null;
  }

  /** Begins no further file. */
  void stop() {
    stopped = true;
  }

  /** Waits until all writers have ended; returns the writes between two times. */
  Writes between(long from, long to) throws IOException {
    for (Future<Void> writer : writers) {
      Pause.await(writer);
    }
    double files = 0;
    DescriptiveStatistics millis = new DescriptiveStatistics();
    for (Write write : writes) {
      double share = write.shareBetween(from, to);
      files += share;
      if (share > 0) {
        millis.addValue((write.end - write.begin) / 1e6);
      }
    }
    if (millis.getN() == 0) {
      throw new IOException("no file was written in the measured time: measure for more seconds");
    }
    return new Writes(files * content.length / MEGABYTE / ((to - from) / 1e9), millis);
  }

  @Override
  public void close() {
    stop();
    threads.shutdownNow();
  }
}
