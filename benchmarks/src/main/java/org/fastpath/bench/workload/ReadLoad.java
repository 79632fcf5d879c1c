package org.fastpath.bench.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Clients that read a table, all at once and without a rest, from when this is made until {@link
 * #stop}. They share a connection, as the threads of an application do.
 */
final class ReadLoad implements AutoCloseable {
  private static final int DIGITS = 2;

  private final Connection connection;
  private final TableName name;
  private final Request request;
  private final ExecutorService executor;
  private final List<Future<Void>> clients = new ArrayList<>();
  private final LongAdder rows = new LongAdder();
  private final Recorder latencies = new Recorder(DIGITS);
  private volatile boolean stopped;

  /** What a client asks for again and again; used by all of them at the same time. */
  @FunctionalInterface
  interface Request {
    /** Asks once, waits for the answer and checks it; returns the number of rows read. */
    int send(Table table, SplittableRandom random) throws IOException;
  }

  /** Starts the clients; those of one seed make the same choices. */
  ReadLoad(Connection connection, TableName name, Request request, int threads, long seed) {
    this.connection = connection;
    this.name = name;
    this.request = request;
    this.executor =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "read-load");
              thread.setDaemon(true);
              return thread;
            });
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < threads; i++) {
      SplittableRandom own = random.split();
      clients.add(executor.submit(() -> run(own)));
    }
  }

  private Void run(SplittableRandom random) throws IOException {
    try (Table table = connection.getTable(name)) {
      while (!stopped) {
        long begin = System.nanoTime();
        rows.add(request.send(table, random));
        latencies.recordValue(System.nanoTime() - begin);
      }
    }
    return null;
  }

  /** Rows read so far, by all clients. */
  long rows() {
    return rows.sum();
  }

  /** Latencies of the requests that have ended since this was last asked for, in nanoseconds. */
  Histogram latencies() {
    return latencies.getIntervalHistogram();
  }

  /** Lets the clients end what they are at; fails if any of them has. */
  void stop() throws IOException {
    stopped = true;
    try {
      for (Future<Void> client : clients) {
        client.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /** Ends the threads. */
  @Override
  public void close() {
    stopped = true;
    executor.shutdownNow();
  }
}
