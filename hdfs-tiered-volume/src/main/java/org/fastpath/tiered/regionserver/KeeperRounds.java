package org.fastpath.tiered.regionserver;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.TierFeatures;
import org.fastpath.tiered.datanode.move.FileMover;
import org.fastpath.tiered.datanode.move.MoveRequested;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings files to the tiers of their rules, in rounds of {@link TierKeeping}.
 *
 * <p>Between rounds it keeps only state that can be read again. The policy is an attribute of the
 * file, and the request is a separate file. The NameNode stores both, in this order. If a process
 * dies between two steps, the next round finds a file with a wrong policy or with misplaced blocks
 * and continues there. A full tier, a changed policy or a failed move also leaves misplaced blocks.
 * Their move is requested again after a time.
 *
 * <p>It runs on a separate thread.
 */
final class KeeperRounds implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperRounds.class);

  private static final FeatureStatus MOVER = TierFeatures.MOVER.status();

  /** The memory of region reads, in rounds. */
  private static final int MEMORY = 10;

  private static final long CLOSE_SECONDS = 60;

  private final Connection connection;
  private final Configuration conf;
  private final KeeperOptions options;
  private final KeeperMetrics metrics;
  private final RegionReads reads;
  private final Thread thread = new Thread(this::work, "tier-keeper");

  private DistributedFileSystem fs;
  private FileMover mover;
  private TierKeeping keeping;
  private boolean mayMove;
  private boolean failing;

  private boolean closed;

  KeeperRounds(
      Connection connection, Configuration conf, KeeperOptions options, KeeperMetrics metrics) {
    this.connection = connection;
    this.conf = conf;
    this.options = options;
    this.metrics = metrics;
    reads = new RegionReads(MEMORY * options.periodMillis());
    mayMove = options.moves();
    if (!mayMove) {
      MOVER.off(KeeperOptions.MOVES + " is false");
    }
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void work() {
    try {
      while (!isClosed()) {
        roundOrExplain();
        pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closeClients();
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void pause() throws InterruptedException {
    if (!closed) {
      TimeUnit.MILLISECONDS.timedWait(this, options.periodMillis());
    }
  }

  private void roundOrExplain() {
    try {
      openClients();
      round();
      failing = false;
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      explain(e);
    }
  }

  /** Reports a failed round. It must not throw, or the thread would end. */
  private void explain(Throwable failure) {
    boolean first = !failing;
    failing = true;
    try {
      metrics.failedRound();
      if (first && !isClosed()) {
        LOG.warn("A round of the tier keeper failed; the next round tries again", failure);
      }
    } catch (OutOfMemoryError e) {
      // There is no memory for a report either.
    }
  }

  private void openClients() throws IOException {
    if (mover == null) {
      mover = FileMover.open(conf);
    }
    if (fs == null) {
      // FileMover.open has rejected any other file system.
      fs = (DistributedFileSystem) FileSystem.newInstance(conf);
    }
    if (keeping == null) {
      keeping = keeping();
    }
    if (mayMove) {
      startMover();
    }
  }

  private TierKeeping keeping() throws IOException {
    CallBudget budget =
        new CallBudget(
            options.callsPerSecond(),
            options.periodMillis(),
            System::nanoTime,
            TimeUnit.NANOSECONDS::sleep);
    TierSurvey survey =
        new TierSurvey(
            fs,
            conf,
            reads,
            budget,
            file -> StoreFileHistory.read(fs, file, conf),
            System::currentTimeMillis);
    return new TierKeeping(
        fs,
        new MoverQueue(mover),
        options,
        metrics,
        budget,
        survey,
        System::currentTimeMillis,
        this::isClosed);
  }

  /** The queue of moves of a mover. */
  private record MoverQueue(FileMover mover) implements TierKeeping.Moves {
    @Override
    public Map<Long, MoveRequested> requested() throws IOException {
      return mover.requested();
    }

    @Override
    public void submit(Path file) throws IOException {
      mover.submit(file);
    }

    @Override
    public int removeGone(int most) throws IOException {
      return mover.removeGone(most);
    }
  }

  /**
   * Starts the mover. If the user is not a superuser of HDFS, only requests are made, and another
   * mover processes them.
   */
  private void startMover() throws IOException {
    try {
      mover.start();
      MOVER.active();
    } catch (AccessControlException e) {
      leaveMoves(e);
    } catch (RemoteException e) {
      if (!(e.unwrapRemoteException() instanceof AccessControlException)) {
        throw e;
      }
      leaveMoves(e);
    }
  }

  private void leaveMoves(IOException why) {
    mayMove = false;
    MOVER.fallenBack(
        "HBase's user may not move blocks; run bin/fastpath move serve as a "
            + "superuser of HDFS");
    LOG.warn(
        "HBase's user may not move blocks: run bin/fastpath move serve as a superuser " + "of HDFS",
        why);
  }

  private void round() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      reads.update(admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)));
      keeping.round(admin.listTableDescriptors());
    }
  }

  private void closeClients() {
    IOUtils.cleanupWithLogger(LOG, mover, fs);
  }

  /** Waits for moves that have begun. Another HMaster finds the remaining work. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
