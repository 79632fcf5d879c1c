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
 * Asks gauges on a thread of its own, so that one that blocks does not hold up the snapshot, which
 * Hadoop takes under the lock of its metrics system.
 *
 * <p>A gauge that has not answered within {@link #GAUGE_MILLIS} is left out, and is not asked again
 * until it has answered; the thread that asks it is left to it, and another one asks the rest. All
 * gauges of a snapshot together get {@link #SNAPSHOT_MILLIS}. There are at most {@link #THREADS}
 * threads; when all are stuck, gauges are left out altogether. A constant needs no thread and is
 * always shown.
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

  /** What the gauges said. */
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

    /** Leaves out all that are asked from this index on. */
    private void leaveOut(int from) {
      for (int i = asked(from); i < answered.length; i = asked(i + 1)) {
        left.set(i);
        SLOW.increment();
      }
    }

    /** Gives what the gauge said to the sink, if it said something. */
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
   * Asks the gauges from {@code at} on, one after the other. The first one is asked even if the
   * task was abandoned before its thread began, as happens on a busy machine: it is taken for
   * stuck, and would stay so for ever.
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
      } catch (Throwable e) { // whatever a gauge does, the others are asked
        FAILED.increment();
        gauge.failed(e);
      } finally {
        finished = i + 1;
        gauge.answered(this);
      }
    }

    /**
     * Gives the current gauge up. The answer may come at this very moment: it is told first that it
     * is stuck, and then looked whether it was too late for that, in the opposite order of {@link
     * #ask}, so that it does not stay stuck.
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

  /** Asks them all; returns within {@link #SNAPSHOT_MILLIS} and a bit. */
  static Answers ask(List<Gauge> gauges) {
    Answers answers = new Answers(gauges);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SNAPSHOT_MILLIS);
    int next = answers.asked(0);
    while (next < gauges.size()) {
      Task task = new Task(answers, next);
      if (!started(task)) {
        answers.leaveOut(next);
        return answers;
      }
      if (finished(task, deadline)) {
        return answers;
      }
      if (Thread.currentThread().isInterrupted()) {
        task.abandoned = true;
        answers.leaveOut(0);
        return answers;
      }
      int slow = task.abandon();
      SLOW.increment();
      answers.left.set(slow);
      next = answers.asked(slow + 1);
      if (System.nanoTime() - deadline >= 0) {
        answers.leaveOut(next);
        return answers;
      }
    }
    return answers;
  }

  private static boolean started(Task task) {
    try {
      EXECUTOR.execute(task);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread to be had
      return false;
    }
  }

  /** Waits as long as it gets on: one gauge after another within the limit. */
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
