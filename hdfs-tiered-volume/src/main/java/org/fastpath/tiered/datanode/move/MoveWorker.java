package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.concurrent.HadoopExecutors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the queue while this process has the lease. It polls the queue at intervals and begins
 * due requests. It keeps no essential state. If a worker dies, the next one finds the requests in
 * the queue. Each replica has then been moved or not.
 *
 * <p>Any thread may call {@link #wake}.
 */
final class MoveWorker implements InodeMove.Context, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MoveWorker.class);

  /** Threads that ask the NameNode and plan; none of them waits for a DataNode. */
  private static final int PLANNERS = 4;

  /** Number of waiting moves from which no further request is begun. */
  private static final int MAX_WAITING = 10_000;

  private static final long CLOSE_SECONDS = 60;

  private final DistributedFileSystem fs;
  private final MoveQueue queue;
  private final MoveOptions options;
  private final MoverLease lease;
  private final MoverId moverId;
  private final QueuePoll poll;
  private final RequesterRights rights;
  private final TierBackoff tiers;
  private final MoveDispatcher dispatcher;
  private final ClusterView.Cache views;
  private final Map<Long, InodeMove> inodes = new HashMap<>();
  private final ScheduledThreadPoolExecutor planners =
      new ScheduledThreadPoolExecutor(PLANNERS, MoveThreads.named("file-move"));
  private final Thread thread = MoveThreads.named("move-queue").newThread(this::work);

  private boolean pollsFail;
  private boolean woken;
  private volatile boolean closed;

  MoveWorker(
      DistributedFileSystem fs,
      MoveQueue queue,
      MoveOptions options,
      RequesterRights rights,
      ReplicaTransfer transfer) {
    this.rights = rights;
    this.fs = fs;
    this.queue = queue;
    this.options = options;
    lease = new MoverLease(fs, options.queue(), options.leaseMillis(), System::nanoTime);
    dispatcher = new MoveDispatcher(options, transfer);
    moverId = new MoverId(fs, System::nanoTime);
    poll = new QueuePoll(queue);
    tiers = new TierBackoff(options, System::nanoTime);
    views = new ClusterView.Cache(fs.getClient(), fs.getConf());
    planners.setRemoveOnCancelPolicy(true);
    planners.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void start() {
    thread.start();
  }

  private void work() {
    try {
      while (!closed) {
        pollSafely();
        awaitNextPoll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pollSafely() {
    try {
      if (lease.hold()) {
        poll();
      }
      dispatcher.dropUnwanted();
      pollsFail = false;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      metrics().failedPoll();
      if (!pollsFail) {
        LOG.warn("The queue of moves cannot be polled; the mover retries", e);
      }
      pollsFail = true;
    }
  }

  private void poll() throws IOException {
    List<MoveRequest> requests = new ArrayList<>(poll.requests());
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
    if (open.isEmpty() && inodes.isEmpty()) {
      moverId.release();
    } else if (moverId.hold()) {
      open.forEach(this::beginIfDue);
    }
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
    if (dispatcher.waiting() < MAX_WAITING && move.isDue(requests)) {
      move.begin(requests);
    }
  }

  @Override
  public void schedule(Runnable step, long delayNanos) {
    try {
      planners.schedule(step, delayNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("The mover ends", e);
    }
  }

  @Override
  public void ended() {
    wake();
  }

  private synchronized void awaitNextPoll() throws InterruptedException {
    if (!woken && !closed) {
      TimeUnit.MILLISECONDS.timedWait(this, options.pollMillis());
    }
    woken = false;
  }

  /** Triggers a poll of the queue now. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  @Override
  public DFSClient client() {
    return fs.getClient();
  }

  @Override
  public ClusterView view() throws IOException {
    return views.get();
  }

  @Override
  public MoveDispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public RequesterRights rights() {
    return rights;
  }

  @Override
  public TierBackoff tiers() {
    return tiers;
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
    dispatcher.close();
    HadoopExecutors.shutdown(planners, LOG, CLOSE_SECONDS, TimeUnit.SECONDS);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
      moverId.release();
      lease.release();
    } catch (IOException e) {
      LOG.warn("The mover's lock cannot be released; it ends with its lease", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
