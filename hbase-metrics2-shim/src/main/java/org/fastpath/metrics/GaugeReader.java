package org.fastpath.metrics;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads gauges on separate threads. A gauge that blocks does not hold up the snapshot, which Hadoop
 * takes under the lock of its metrics system.
 *
 * <p>A gauge that does not answer within {@link #GAUGE_MILLIS} is omitted. It is not read again
 * until it has answered. Its thread keeps waiting for it, and another thread reads the other
 * gauges. All gauges of a snapshot together get {@link #SNAPSHOT_MILLIS}. There are at most {@link
 * #THREADS} threads. If all of them are stuck, all gauges are omitted. A constant needs no thread
 * and is always shown.
 */
final class GaugeReader {
  static final long GAUGE_MILLIS = 100;
  static final long SNAPSHOT_MILLIS = 1000;
  static final int THREADS = 8;
  private static final long IDLE_SECONDS = 30;

  private static final ThreadPoolExecutor EXECUTOR =
      new ThreadPoolExecutor(
          0,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            Thread thread = new Thread(work, "fastpath-gauges");
            thread.setDaemon(true);
            return thread;
          });

  /** Gauges that took too long, over all snapshots. */
  static final LongAdder SLOW = new LongAdder();

  /** Gauges that threw, over all snapshots. */
  static final LongAdder FAILED = new LongAdder();

  private GaugeReader() {}

  /** The answers of the gauges. */
  static final class Answers {
    private final List<Gauge> gauges;
    private final long[] numbers;
    private final String[] texts;
    private final boolean[] answered;
    private final BitSet left = new BitSet();

    Answers(List<Gauge> gauges) {
      this.gauges = gauges;
      numbers = new long[gauges.size()];
      texts = gauges.stream().anyMatch(Gauge::isText) ? new String[gauges.size()] : null;
      answered = new boolean[gauges.size()];
      for (int i = 0; i < answered.length; i++) {
        if (gauges.get(i).isConstant()) {
          ask(i);
        }
      }
    }

    private void ask(int i) {
      Gauge gauge = gauges.get(i);
      if (gauge.isText()) {
        texts[i] = gauge.askText();
      } else {
        numbers[i] = gauge.askNumber();
      }
      answered[i] = true;
    }

    /** Returns the first index from this one on whose gauge is no constant, or their number. */
    private int asked(int from) {
      int i = from;
      while (i < answered.length && gauges.get(i).isConstant()) {
        i++;
      }
      return i;
    }

    /** Omits all gauges from this index on, except constants. */
    private void omit(int from) {
      for (int i = asked(from); i < answered.length; i = asked(i + 1)) {
        left.set(i);
        SLOW.increment();
      }
    }

    /** Gives the answer of a gauge to the sink, if there is one. */
    void give(int index, RecordSink sink) {
      if (left.get(index) || !answered[index]) {
        return;
      }
      MetricDefinition definition = gauges.get(index).definition();
      switch (definition.kind()) {
        case COUNTER -> sink.counter(definition, numbers[index]);
        case GAUGE -> sink.gauge(definition, numbers[index]);
        case TEXT -> sink.text(definition, texts[index]);
      }
    }
  }

  /**
   * Reads the gauges from {@code at} on, one after the other. The first one is read even if the
   * task was abandoned before its thread began, as happens on a busy machine. Otherwise the gauge
   * would count as stuck for ever.
   */
  static final class Task implements Runnable {
    private final Answers answers;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int at;
    private volatile int finished;
    private volatile boolean abandoned;

    Task(Answers answers, int first) {
      this.answers = answers;
      at = first;
    }

    @Override
    public void run() {
      int i = at;
      do {
        at = i;
        ask(i);
        i = answers.asked(i + 1);
      } while (i < answers.gauges.size() && !abandoned);
      done.countDown();
    }

    private void ask(int i) {
      Gauge gauge = answers.gauges.get(i);
      if (gauge.isStuckWithAnother(this)) {
        finished = i + 1;
        SLOW.increment();
        return;
      }
      try {
        answers.ask(i);
      } catch (Throwable e) { // a gauge that fails does not stop the others
        FAILED.increment();
        gauge.failed(e);
      } finally {
        finished = i + 1;
        gauge.answered(this);
      }
    }

    /**
     * Gives up the current gauge. Its answer may arrive at the same moment. So this method marks
     * the gauge as stuck first and then checks for an answer. {@link #ask} uses the opposite order,
     * so a gauge that answered never stays marked.
     */
    int abandon() {
      abandoned = true;
      int slow = at;
      Gauge gauge = answers.gauges.get(slow);
      gauge.tookTooLong(this, GAUGE_MILLIS);
      if (finished > slow) {
        gauge.answered(this);
      }
      return slow;
    }
  }

  /** Reads all gauges. Returns after little more than {@link #SNAPSHOT_MILLIS}. */
  static Answers ask(List<Gauge> gauges) {
    Answers answers = new Answers(gauges);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SNAPSHOT_MILLIS);
    int next = answers.asked(0);
    while (next < gauges.size()) {
      Task task = new Task(answers, next);
      if (!started(task)) {
        answers.omit(next);
        return answers;
      }
      if (finished(task, deadline)) {
        return answers;
      }
      if (Thread.currentThread().isInterrupted()) {
        task.abandoned = true;
        answers.omit(0);
        return answers;
      }
      int slow = task.abandon();
      SLOW.increment();
      answers.left.set(slow);
      next = answers.asked(slow + 1);
      if (System.nanoTime() - deadline >= 0) {
        answers.omit(next);
        return answers;
      }
    }
    return answers;
  }

  private static boolean started(Task task) {
    try {
      EXECUTOR.execute(task);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread is available
      return false;
    }
  }

  /** Waits while each gauge answers within its limit. */
  private static boolean finished(Task task, long deadline) {
    int at = task.at;
    try {
      while (!task.done.await(GAUGE_MILLIS, TimeUnit.MILLISECONDS)) {
        if (task.at == at || System.nanoTime() - deadline >= 0) {
          return false;
        }
        at = task.at;
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
