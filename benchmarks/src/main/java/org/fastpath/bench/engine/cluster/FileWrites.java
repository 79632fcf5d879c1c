package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Pause;

/**
 * Files that several threads wrote between two times.
 *
 * @param throughput megabytes per second; a file that began before or ended after counts in part,
 *     as if it was written evenly
 * @param millis durations of the files that were at least partly written
 */
public record FileWrites(double throughput, DescriptiveStatistics millis) {
  public static final Figure<FileWrites> RATE =
      Figure.high("throughput", "MB/s", FileWrites::throughput);
  public static final Figure<FileWrites> P50 = percentile(50);
  public static final Figure<FileWrites> P99 = percentile(99);

  /** A file, from its creation to its end at the client. */
  private record Write(long begin, long end) {}

  private static Figure<FileWrites> percentile(int percent) {
    return Figure.low("write.p" + percent, "ms", writes -> writes.millis.getPercentile(percent));
  }

  /** Files of one size, and the directory in which some threads write them. */
  public record Load(FileSystem files, Path directory, int threads, int fileBytes) {
    /**
     * Writes for some time, of which the end is measured.
     *
     * @param after is done when no more files begin, while the last ones are written
     */
    public FileWrites during(int warmUpMillis, int millis, Runnable after) throws IOException {
      Queue<Write> written = new ConcurrentLinkedQueue<>();
      AtomicBoolean stop = new AtomicBoolean();
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          String writer = directory + "/" + i + "-";
          writers.add(pool.submit(() -> write(writer, written, stop)));
        }
        Pause.millis(warmUpMillis);
        long from = System.nanoTime();
        Pause.millis(millis);
        long to = System.nanoTime();
        stop.set(true);
        after.run();
        for (Future<Void> writer : writers) {
          Pause.await(writer);
        }
        return between(written, from, to, fileBytes);
      } finally {
        stop.set(true);
        pool.shutdownNow();
      }
    }

    /** Writes one file after the other. At the end, the current file is finished and counts. */
    private Void write(String writer, Queue<Write> written, AtomicBoolean stop) throws IOException {
      byte[] content = new byte[fileBytes];
      for (int file = 0; !stop.get(); file++) {
        long begin = System.nanoTime();
        try (OutputStream out = files.create(new Path(writer + file))) {
          out.write(content);
        }
        written.add(new Write(begin, System.nanoTime()));
      }
      return null;
    }
  }

  private static FileWrites between(Collection<Write> files, long from, long to, int fileBytes)
      throws IOException {
    double bytes = 0;
    DescriptiveStatistics millis = new DescriptiveStatistics();
    for (Write file : files) {
      double inside = Math.min(file.end, to) - Math.max(file.begin, from);
      if (inside > 0) {
        double nanos = file.end - file.begin;
        bytes += fileBytes * inside / nanos;
        millis.addValue(nanos / 1e6);
      }
    }
    if (millis.getN() == 0) {
      throw new IOException("no file was written in the measured time: measure for more seconds");
    }
    return new FileWrites(bytes / (1 << 20) / ((to - from) / 1e9), millis);
  }

  @Override
  public String toString() {
    String words = "%.1f MB/s, write p50 %.0f ms, p99 %.0f ms";
    return String.format(Locale.ROOT, words, throughput, P50.of(this), P99.of(this));
  }
}
