package org.fastpath.regionserver.page;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The samples of the last hour, in a bounded ring, taken by one daemon thread. It also measures the
 * CPU time of samples for the page. Thread-safe.
 */
public final class History implements AutoCloseable {
  static final Duration PERIOD = Duration.ofSeconds(30);

  /** The number of samples of an hour. */
  static final int MAX_SAMPLES = 121;

  private static final Logger LOG = LoggerFactory.getLogger(History.class);

  private final Beans beans;
  private final ScheduledThreadPoolExecutor thread;

  // Guarded by this.
  private final Deque<Sample> samples = new ArrayDeque<>();
  private long takenCount;
  private long cpuNanos;
  private boolean failed;

  /**
   * The cost of the samples so far.
   *
   * @param takenCount samples
   * @param cpuNanos CPU time of them all
   */
  record Cost(long takenCount, long cpuNanos) {
    /** Returns the part of one core that samples take, in percent. */
    double percentOfCore() {
      return takenCount == 0 ? 0 : 100.0 * cpuNanos / takenCount / PERIOD.toNanos();
    }
  }

  History(Beans beans) {
    this.beans = beans;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread sampler = new Thread(work, "hbase-fastpath-page");
              sampler.setDaemon(true);
              return sampler;
            });
  }

  /** Starts to take samples of the MBeans of this process. */
  public static History start() {
    History history = new History(new Beans(ManagementFactory.getPlatformMBeanServer()));
    history.thread.scheduleAtFixedRate(
        history::trySample, PERIOD.toMillis() / 2, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    return history;
  }

  /** Takes a sample. After a failure, the next sample is still taken. */
  private void trySample() {
    try {
      sample();
    } catch (RuntimeException | LinkageError e) {
      logOnce(e);
    }
  }

  private synchronized void logOnce(Throwable why) {
    if (!failed) {
      failed = true;
      LOG.warn(
          "A sample for the page /fastpath failed, so its charts have a gap; further "
              + "cases are not logged",
          why);
    }
  }

  /** Takes a sample. Only one thread calls this. */
  void sample() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
    Sample sample = Sample.of(beans, System.currentTimeMillis());
    long after = threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
    add(sample, after - before);
  }

  synchronized void add(Sample sample, long nanos) {
    if (samples.size() == MAX_SAMPLES) {
      samples.removeFirst();
    }
    samples.addLast(sample);
    takenCount++;
    cpuNanos += nanos;
  }

  /** Returns the samples, the oldest first. */
  synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  synchronized Cost cost() {
    return new Cost(takenCount, cpuNanos);
  }

  Beans beans() {
    return beans;
  }

  /** Ends the thread. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
