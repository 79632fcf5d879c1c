package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What a DataNode's dataset does under locks, and how long it took since the DataNode started: to
 * be read as {@code benchmark:type=DatasetOperation,name=...}. Thread-safe.
 */
public enum DatasetOperation {
  /** A replica that a client writes is made. */
  CREATE_RBW,
  /** One is made that is copied or moved here. */
  CREATE_TEMPORARY,
  /** One is complete. */
  FINALIZE_BLOCK;

  private static final ThreadLocal<long[]> WAITED = ThreadLocal.withInitial(() -> new long[1]);

  private final Times times = new Times();

  /** Something that is timed. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /** For JMX: what attributes are is said by their names. */
  public interface TimesMXBean {
    /** How many there were. */
    long getCount();

    /** The longest one without its waits for locks. */
    long getMaxExecutionNanos();

    /** The longest wait for locks. */
    long getMaxWaitNanos();

    /** All of them without their waits. */
    long getExecutionNanos();

    /** All waits. */
    long getWaitNanos();
  }

  private static final class Times implements TimesMXBean {
    private final LongAdder count = new LongAdder();
    private final LongAdder execution = new LongAdder();
    private final LongAdder wait = new LongAdder();
    private final LongAccumulator maxExecution = new LongAccumulator(Math::max, 0);
    private final LongAccumulator maxWait = new LongAccumulator(Math::max, 0);

    void add(long executionNanos, long waitNanos) {
      count.increment();
      execution.add(executionNanos);
      wait.add(waitNanos);
      maxExecution.accumulate(executionNanos);
      maxWait.accumulate(waitNanos);
    }

    @Override
    public long getCount() {
      return count.sum();
    }

    @Override
    public long getMaxExecutionNanos() {
      return maxExecution.get();
    }

    @Override
    public long getMaxWaitNanos() {
      return maxWait.get();
    }

    @Override
    public long getExecutionNanos() {
      return execution.sum();
    }

    @Override
    public long getWaitNanos() {
      return wait.sum();
    }
  }

  /** The name of its bean. */
  public String bean() {
    return "benchmark:type=DatasetOperation,name=" + name();
  }

  /** Shows all of them. */
  static void publish() throws IOException {
    for (DatasetOperation operation : values()) {
      try {
        ManagementFactory.getPlatformMBeanServer()
            .registerMBean(operation.times, new ObjectName(operation.bean()));
      } catch (JMException e) {
        throw new IOException("times cannot be shown", e);
      }
    }
  }

  /** Does it and takes its time. */
  public <T> T timed(Work<T> work) throws IOException {
    long[] waited = WAITED.get();
    waited[0] = 0;
    long begin = System.nanoTime();
    try {
      return work.run();
    } finally {
      times.add(System.nanoTime() - begin - waited[0], waited[0]);
    }
  }

  /** Adds to the waits of what this thread does. */
  static void waited(long nanos) {
    WAITED.get()[0] += nanos;
  }
}
