package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves replicas within the limits of bandwidth and concurrency, each in a thread of its own while
 * it waits for the DataNode. Thread-safe.
 */
final class MoveDispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveDispatcher.class);
  private static final long CLOSE_SECONDS = 60;

  private final ReplicaTransfer transfer;
  private final MovePacer pacer;
  private final MoveSlots slots;
  private final MoveMetrics metrics;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(MoveThreads.named("replica-move"));

  /** Hears how moves end, in the threads of these moves. */
  interface Listener {
    /** The replica is where it should be, and the NameNode will know. */
    void moved(ReplicaMove move);

    /** The replica is where it was. */
    void failed(ReplicaMove move, Exception why);
  }

  MoveDispatcher(MoveOptions options, ReplicaTransfer transfer) {
    this.transfer = transfer;
    pacer = new MovePacer(options.bytesPerSecond());
    slots = new MoveSlots(options.maxMoves(), options.maxMovesPerDataNode());
    metrics = new MoveMetrics(slots::moves);
  }

  MoveMetrics metrics() {
    return metrics;
  }

  /** Begins a move as soon as the limits allow it, and returns then. */
  void dispatch(ReplicaMove move, Listener listener) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(pacer.book(move.bytes(), System.nanoTime()));
    slots.acquire(move);
    try {
      threads.execute(() -> run(move, listener));
    } catch (RuntimeException e) {
      slots.release(move);
      throw e;
    }
  }

  private void run(ReplicaMove move, Listener listener) {
    long begin = System.nanoTime();
    Exception failure = null;
    try {
      transfer.move(move);
      metrics.moved(move.bytes(), System.nanoTime() - begin);
    } catch (IOException | RuntimeException e) {
      LOG.debug("A replica was not moved: {}", move, e);
      metrics.failedMove();
      failure = e;
    } finally {
      slots.release(move);
    }
    if (failure == null) {
      listener.moved(move);
    } else {
      listener.failed(move, failure);
    }
  }

  /** Waits for the moves that have begun; what DataNodes do, they do to the end in any case. */
  @Override
  public void close() {
    HadoopExecutors.shutdown(threads, LOG, CLOSE_SECONDS, TimeUnit.SECONDS);
    metrics.close();
  }
}
