package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves replicas within the limits of bandwidth and concurrency. Each running move has a thread
 * that waits for the DataNode. A move that exceeds a limit waits in a list and does not delay other
 * moves. Thread-safe.
 */
final class MoveDispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveDispatcher.class);
  private static final long CLOSE_SECONDS = 60;

  private final ReplicaTransfer transfer;
  private final MoveMetrics metrics;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(MoveThreads.named("replica-move"));
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(MoveThreads.named("move-pacer"));

  // Guarded by this.
  private final MovePacer pacer;
  private final MoveSlots slots;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean paced;
  private boolean closed;

  private record Waiting(ReplicaMove move, Listener listener) {}

  /** Gets the results of moves, on the threads of these moves. */
  interface Listener {
    /** Returns whether the move shall still begin. */
    boolean isWanted();

    /** Reports that the replica was moved. The NameNode will know soon. */
    void moved(ReplicaMove move);

    /** Reports that the replica was not moved. */
    void failed(ReplicaMove move, Exception why);

    /** Reports that the move will not begin. */
    void dropped(ReplicaMove move);
  }

  MoveDispatcher(MoveOptions options, ReplicaTransfer transfer) {
    this.transfer = transfer;
    pacer = new MovePacer(options.bytesPerSecond());
    slots = new MoveSlots(options.maxMoves(), options.maxMovesPerDataNode());
    metrics = new MoveMetrics(this::moves, this::waiting);
  }

  MoveMetrics metrics() {
    return metrics;
  }

  private synchronized long moves() {
    return slots.moves();
  }

  /** Returns the moves that wait for a limit. */
  synchronized long waiting() {
    return waiting.size();
  }

  /** Begins a move as soon as the limits allow it. Returns at once. */
  void dispatch(ReplicaMove move, Listener listener) {
    synchronized (this) {
      waiting.add(new Waiting(move, listener));
    }
    beginAllowed();
  }

  private void beginAllowed() {
    for (Waiting next = next(); next != null; next = next()) {
      begin(next);
    }
  }

  /** Drops waiting moves whose listener no longer wants them. */
  void dropUnwanted() {
    List<Waiting> unwanted = new ArrayList<>();
    synchronized (this) {
      for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
        Waiting each = all.next();
        if (closed || !each.listener().isWanted()) {
          all.remove();
          unwanted.add(each);
        }
      }
    }
    unwanted.forEach(each -> each.listener().dropped(each.move()));
  }

  /** Returns the first move that may begin now and takes its slots; null if there is none. */
  private synchronized Waiting next() {
    if (closed || waiting.isEmpty() || slots.isFull() || isPaced()) {
      return null;
    }
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      if (each.listener().isWanted() && slots.tryAcquire(each.move())) {
        all.remove();
        pacer.book(each.move().bytes(), System.nanoTime());
        return each;
      }
    }
    return null;
  }

  /** Returns whether bandwidth is used up. If so, a timer retries later. */
  private boolean isPaced() {
    long delay = pacer.nanosUntilFree(System.nanoTime());
    if (delay > 0 && !paced) {
      timer.schedule(this::endPause, delay, TimeUnit.NANOSECONDS);
      paced = true;
    }
    return delay > 0;
  }

  private void endPause() {
    synchronized (this) {
      paced = false;
    }
    beginAllowed();
  }

  private void begin(Waiting next) {
    try {
      threads.execute(() -> run(next.move(), next.listener()));
    } catch (RuntimeException | OutOfMemoryError e) {
      synchronized (this) {
        slots.release(next.move());
      }
      next.listener().failed(next.move(), new IOException("no thread for a move", e));
    }
  }

  private void run(ReplicaMove move, Listener listener) {
    Exception failure = failureOf(move);
    synchronized (this) {
      slots.release(move);
    }
    try {
      beginAllowed();
    } finally {
      if (failure == null) {
        listener.moved(move);
      } else {
        listener.failed(move, failure);
      }
    }
  }

  /** Moves a replica. Returns the failure, which may be an error, or null. */
  private Exception failureOf(ReplicaMove move) {
    long begin = System.nanoTime();
    try {
      transfer.move(move);
      metrics.moved(move.bytes(), System.nanoTime() - begin);
      return null;
    } catch (IOException | RuntimeException e) {
      return failed(move, e);
    } catch (LinkageError | VirtualMachineError e) {
      return failed(move, new IOException("the move ended with an error", e));
    }
  }

  private Exception failed(ReplicaMove move, Exception why) {
    LOG.debug("A replica was not moved: {}", move, why);
    metrics.failedMove();
    return why;
  }

  /** Waits for the moves that have begun; what DataNodes do, they do to the end in any case. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    dropUnwanted();
    timer.shutdownNow();
    HadoopExecutors.shutdown(threads, LOG, CLOSE_SECONDS, TimeUnit.SECONDS);
    metrics.close();
  }
}
