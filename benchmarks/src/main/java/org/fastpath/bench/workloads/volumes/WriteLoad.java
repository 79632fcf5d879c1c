package org.fastpath.bench.workloads.volumes;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that write one file after the other, each as large as a block, until they are stopped.
 * Each then finishes its current file, which counts with its full time.
 */
final class WriteLoad implements AutoCloseable {
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
  record Write(long beginNanos, long endNanos) {
    double millis() {
      return (endNanos - beginNanos) / 1e6;
    }

    /** Returns whether at least a part of it was written between these times. */
    boolean overlaps(long fromNanos, long toNanos) {
      return beginNanos - toNanos < 0 && endNanos - fromNanos > 0;
    }

    /** Returns the part that was written between these times, if the write was even. */
    double shareBetween(long fromNanos, long toNanos) {
      double within = Math.min(endNanos, toNanos) - Math.max(beginNanos, fromNanos);
      return Math.max(0, within) / (endNanos - beginNanos);
    }
  }

  /** Begins to write. */
  WriteLoad(Creation creation, int threadCount, int fileBytes) {
    this.creation = creation;
    this.content = new byte[fileBytes];
    this.threads = Executors.newFixedThreadPool(threadCount);
    Callable<Void> writer = this::write;
    for (int i = 0; i < threadCount; i++) {
      writers.add(threads.submit(writer));
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

  /** Returns the writes after all writers have ended. */
  List<Write> await() throws IOException {
    try {
      for (Future<Void> writer : writers) {
        writer.get();
      }
      return List.copyOf(writes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while files were written", e);
    } catch (ExecutionException e) {
      throw new IOException("a writer failed", e.getCause());
    }
  }

  @Override
  public void close() {
    stop();
    threads.shutdownNow();
  }
}
