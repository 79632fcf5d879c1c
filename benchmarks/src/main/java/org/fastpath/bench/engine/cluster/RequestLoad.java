package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.fastpath.bench.engine.Pause;

/**
 * Clients that read or write a table concurrently from the construction until {@link #stop}. They
 * send requests without pause, or all together at a given rate. They share a connection, like the
 * threads of an application. A caller can pause them.
 *
 * <p>At a rate, each request has a due time, and its latency begins then. If all clients wait for
 * answers, a due request is late. It is not omitted.
 */
public final class RequestLoad implements AutoCloseable {
  private final Connection connection;
  private final TableName name;
  private final Request request;
  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          new ThreadFactoryBuilder().setNameFormat("request-load-%d").setDaemon(true).build());
  private final List<Future<Void>> clients = new ArrayList<>();
  private final LongAdder rows = new LongAdder();
  private final Recorder latencies = new Recorder(2);
  private final double intervalNanos;
  private final AtomicLong requests = new AtomicLong();
  private final long startNanos = System.nanoTime();

  /** A request holds the read lock. A pause holds the write lock. */
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

  private volatile boolean stopped;

  /** A repeated request. All clients use it at the same time. */
  @FunctionalInterface
  public interface Request {
    /**
     * Sends the request, waits for the answer and checks it; returns the number of rows. The
     * latency of a request counts unless that is 0.
     */
    int send(Table table, SplittableRandom random) throws IOException;
  }

  private RequestLoad(Connection connection, TableName name, Request request, double perSecond) {
    this.connection = connection;
    this.name = name;
    this.request = request;
    this.intervalNanos = 1e9 / perSecond;
  }

  /** Starts clients without pause. Clients of one seed make the same choices. */
  public RequestLoad(
      Connection connection, TableName name, Request request, int threads, long seed) {
    this(connection, name, request, threads, seed, Double.POSITIVE_INFINITY);
  }

  /** Starts clients at a rate, in requests per second; without pause, the rate is infinite. */
  public RequestLoad(
      Connection connection,
      TableName name,
      Request request,
      int threads,
      long seed,
      double perSecond) {
    this(connection, name, request, perSecond);
    start(threads, seed);
  }

  /** Creates clients without pause; they wait until the creating thread calls {@link #resume}. */
  public static RequestLoad waiting(
      Connection connection, TableName name, Request request, int threads, long seed) {
    RequestLoad load = new RequestLoad(connection, name, request, Double.POSITIVE_INFINITY);
    load.pause();
    load.start(threads, seed);
    return load;
  }

  private void start(int threads, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < threads; i++) {
      SplittableRandom own = random.split();
      clients.add(executor.submit(() -> run(own)));
    }
  }

  private Void run(SplittableRandom random) throws IOException {
    try (Table table = connection.getTable(name)) {
      while (!stopped) {
        gate.readLock().lock();
        try {
          long begin = due();
          if (!stopped) {
            int answered = request.send(table, random);
            rows.add(answered);
            if (answered > 0) {
              latencies.recordValue(Math.max(0, System.nanoTime() - begin));
            }
          }
        } finally {
          gate.readLock().unlock();
        }
      }
    }
    return null;
  }

  private long due() throws IOException {
    if (intervalNanos == 0) {
      return System.nanoTime();
    }
    long due = startNanos + (long) (requests.getAndIncrement() * intervalNanos);
    long millis = Math.round((due - System.nanoTime()) / 1e6);
    if (millis > 0) {
      Pause.millis(millis);
    }
    return due;
  }

  /** Pauses clients after their current requests; returns when all wait. */
  public void pause() {
    gate.writeLock().lock();
  }

  /** Resumes the clients; call it from the thread that paused them. */
  public void resume() {
    gate.writeLock().unlock();
  }

  public long rows() {
    return rows.sum();
  }

  /** Returns the latencies of requests that have ended since the last call, in nanoseconds. */
  public Histogram latencies() {
    return latencies.getIntervalHistogram();
  }

  /** Lets the clients finish their requests; fails if any has failed. */
  public void stop() throws IOException {
    letGo();
    for (Future<Void> client : clients) {
      Pause.await(client);
    }
  }

  private void letGo() {
    stopped = true;
    if (gate.isWriteLockedByCurrentThread()) {
      resume();
    }
  }

  @Override
  public void close() {
    letGo();
    executor.shutdownNow();
  }
}
