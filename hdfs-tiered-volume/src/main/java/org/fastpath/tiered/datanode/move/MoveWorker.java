package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works off the queue while this process has the lease: looks at it at intervals, and begins what
 * is due. Nothing that matters is kept here: a worker that dies leaves requests in the queue, where
 * the next one finds them, and replicas that DataNodes have or have not yet moved.
 *
 * <p>{@link #wake} may be called by any thread.
 */
final class MoveWorker implements InodeMove.Context, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveWorker.class);

  /** Files that are looked at at a time; one that is waiting for a DataNode holds up no other. */
  private static final int FILES = 4;

  private static final long CLOSE_SECONDS = 60;

  private final DistributedFileSystem fs;
  private final MoveQueue queue;
  private final MoveOptions options;
  private final MoverLease lease;
  private final MoveDispatcher dispatcher;
  private final ClusterView.Cache views;
  private final Map<Long, InodeMove> inodes = new HashMap<>();
  private final ExecutorService files =
      Executors.newFixedThreadPool(FILES, MoveThreads.named("file-move"));
  private final Thread thread = MoveThreads.named("move-queue").newThread(this::work);

  private boolean looksFailed;
  private boolean woken;
  private volatile boolean closed;

  MoveWorker(
      DistributedFileSystem fs, MoveQueue queue, MoveOptions options, ReplicaTransfer transfer) {
    this.fs = fs;
    this.queue = queue;
    this.options = options;
    lease = new MoverLease(fs, options.queue(), options.leaseMillis(), System::nanoTime);
    dispatcher = new MoveDispatcher(options, transfer);
    views = new ClusterView.Cache(fs.getClient());
  }

  void start() {
    thread.start();
  }

  private void work() {
    try {
      while (!closed) {
        lookOnce();
        awaitNextLook();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookOnce() {
    try {
      if (lease.hold()) {
        look();
      }
      looksFailed = false;
    } catch (IOException | RuntimeException e) {
      metrics().failedScan();
      if (!looksFailed) {
        LOG.warn("The queue of moves cannot be looked at; tried again until it can", e);
      }
      looksFailed = true;
    }
  }

  private void look() throws IOException {
    List<MoveRequest> requests = new ArrayList<>(queue.list());
    requests.sort(Comparator.comparing(MoveRequest::stamp));
    metrics().queue(requests);
    Map<Long, List<MoveRequest>> open = new LinkedHashMap<>();
    for (MoveRequest request : requests) {
      if (request.isOpen()) {
        open.computeIfAbsent(request.inode(), inode -> new ArrayList<>()).add(request);
      }
    }
    for (MoveRequest request : requests) {
      if (!request.isOpen() && open.containsKey(request.inode())) {
        queue.remove(request);
      }
    }
    endCancelled(open);
    open.forEach(this::beginIfDue);
  }

  private void endCancelled(Map<Long, List<MoveRequest>> open) {
    inodes.forEach(
        (inode, move) -> {
          if (!open.containsKey(inode)) {
            move.cancel();
          }
        });
    inodes.entrySet().removeIf(e -> !open.containsKey(e.getKey()) && !e.getValue().isRunning());
  }

  private void beginIfDue(long inode, List<MoveRequest> requests) {
    InodeMove move = inodes.computeIfAbsent(inode, i -> new InodeMove(i, this));
    if (move.isDue(requests)) {
      move.begin(requests);
      files.execute(
          () -> {
            move.run();
            wake();
          });
    }
  }

  private synchronized void awaitNextLook() throws InterruptedException {
    if (!woken && !closed) {
      TimeUnit.MILLISECONDS.timedWait(this, options.pollMillis());
    }
    woken = false;
  }

  /** Has the queue looked at now. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  @Override
  public MoveRound round(SettlingMoves settling, BooleanSupplier stopped) throws IOException {
    return new MoveRound(fs.getClient(), views.get(), dispatcher, settling, stopped);
  }

  @Override
  public MoveQueue queue() {
    return queue;
  }

  @Override
  public MoveMetrics metrics() {
    return dispatcher.metrics();
  }

  @Override
  public MoveOptions options() {
    return options;
  }

  @Override
  public boolean isStopped() {
    return closed || !lease.isValid();
  }

  /** Waits for the moves that have begun; the other requests stay in the queue. */
  @Override
  public void close() {
    closed = true;
    wake();
    HadoopExecutors.shutdown(files, LOG, CLOSE_SECONDS, TimeUnit.SECONDS);
    dispatcher.close();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
      lease.release();
    } catch (IOException e) {
      LOG.warn("The lock of the mover stays until its lease is over", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
