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
 * Moves replicas within the limits of bandwidth and concurrency, each in a thread of its own while
 * it waits for the DataNode. A move that has to wait for a limit waits in a list, and holds up no
 * move that has not: one busy DataNode keeps nobody from the others. Thread-safe.
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

  /** Hears how moves end, in the threads of these moves. */
  interface Listener {
    /** Whether the move is still to begin. */
    boolean isWanted();

    /** The replica is where it should be, and the NameNode will know. */
    void moved(ReplicaMove move);

    /** The replica is where it was. */
    void failed(ReplicaMove move, Exception why);

    /** The move has not begun, and will not. */
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

  /** Moves that wait for a limit. */
  synchronized long waiting() {
    return waiting.size();
  }

  /** Begins a move as soon as the limits allow it; returns at once. */
  void dispatch(ReplicaMove move, Listener listener) {
    synchronized (this) {
      waiting.add(new Waiting(move, listener));
    }
    beginWhatMay();
  }

  private void beginWhatMay() {
    for (Waiting next = next(); next != null; next = next()) {
      begin(next);
    }
  }

  /** Drops the waiting moves that nobody wants any longer. */
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

  /** The first move that may begin now, with its slots; null if there is none. */
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

  /** Whether bandwidth is used up; if so the timer asks again when it is not. */
  private boolean isPaced() {
    long delay = pacer.nanosUntilFree(System.nanoTime());
    if (delay > 0 && !paced) {
      paced = true;
      timer.schedule(this::endPause, delay, TimeUnit.NANOSECONDS);
    }
    return delay > 0;
  }

  private void endPause() {
    synchronized (this) {
      paced = false;
    }
    beginWhatMay();
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
    beginWhatMay();
    if (failure == null) {
      listener.moved(move);
    } else {
      listener.failed(move, failure);
    }
  }

  /** Moves a replica; returns what went wrong, an error included, or null. */
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
