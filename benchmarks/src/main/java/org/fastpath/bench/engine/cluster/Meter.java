package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Pause;
import org.fastpath.cluster.GcEvent;
import org.fastpath.cluster.ThreadTimes;

/**
 * Measures a RegionServer and its clients in windows. Each begins at the end of the last one. A
 * close ends the clients. Not thread-safe.
 */
public final class Meter implements AutoCloseable {
  private final Cluster cluster;
  private final RequestLoad clients;
  private final Optional<RequestLoad> beside;
  private final boolean counters;
  private Reading last;

  private record Reading(
      long millis, long nanos, long rows, ThreadTimes times, long heap, Window.Counters counters) {}

  /** Measures clients only, in windows with all counters. */
  public Meter(Cluster cluster, RequestLoad clients) throws IOException {
    this(cluster, clients, Optional.empty(), true);
  }

  /**
   * Measures clients beside other work, whose rows are not counted. The RegionServer's counters
   * cost it some milliseconds of CPU time for each window; without them, they are zero.
   */
  public Meter(Cluster cluster, RequestLoad clients, Optional<RequestLoad> beside, boolean counters)
      throws IOException {
    this.cluster = cluster;
    this.clients = clients;
    this.beside = beside;
    this.counters = counters;
    try {
      last = read(true);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Reads the state. Reads that cost CPU time are first at a beginning and last at an end. */
  private Reading read(boolean begin) throws IOException {
    long heap = begin ? heapBytes() : 0;
    Window.Counters counted = begin ? counters() : null;
    long millis = System.currentTimeMillis();
    long rows = clients.rows();
    long nanos = System.nanoTime();
    ThreadTimes times = ThreadTimes.of(cluster.regionServer().pid());
    return begin
        ? new Reading(millis, nanos, rows, times, heap, counted)
        : new Reading(millis, nanos, rows, times, heapBytes(), counters());
  }

  private long heapBytes() throws IOException {
    // The first attribute of that name is that of the heap.
    return cluster.counter("java.lang:type=Memory", "used");
  }

  private Window.Counters counters() throws IOException {
    return counters ? cluster.counters() : Window.Counters.NONE;
  }

  public Window window(int millis) throws IOException {
    Pause.millis(millis);
    Reading begin = last;
    last = read(false);
    List<GcEvent> collections =
        GcEvent.between(GcEvent.read(cluster.gcLog), begin.millis, last.millis);
    return new Window(
        begin.millis,
        last.millis,
        last.nanos - begin.nanos,
        last.rows - begin.rows,
        last.times.since(begin.times),
        GcEvent.allocated(begin.heap, last.heap, collections),
        last.counters.plus(begin.counters, -1),
        clients.latencies(),
        collections);
  }

  /** Lets waiting clients work for that time; they wait again when it returns. */
  Window slice(int millis) throws IOException {
    clients.latencies();
    last = read(true);
    clients.resume();
    try {
      Pause.millis(millis);
    } finally {
      clients.pause();
    }
    return window(0);
  }

  /** Returns consecutive windows for the given number of seconds, shown as a step. */
  public List<Window> windows(Console.Step step, int seconds, int windowMillis) throws IOException {
    List<Window> windows = new ArrayList<>();
    for (int done = 0; done < seconds * 1000; done += windowMillis) {
      windows.add(window(windowMillis));
      step.update(done / 1000, seconds);
    }
    step.done(Window.together(windows).toString());
    return windows;
  }

  /** Lets the clients finish their requests; fails if one has failed. */
  public void stop() throws IOException {
    if (beside.isPresent()) {
      beside.get().stop();
    }
    clients.stop();
  }

  @Override
  public void close() {
    beside.ifPresent(RequestLoad::close);
    clients.close();
  }
}
