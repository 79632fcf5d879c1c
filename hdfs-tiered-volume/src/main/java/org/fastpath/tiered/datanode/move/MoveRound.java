package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;

/**
 * Looks once at a file, or at all files below a directory, moves what is not where it should be,
 * and waits for that. Whether it has come to an end, another round must find: the NameNode is the
 * only one that knows.
 *
 * <p>Files are found by their inodes, so that a rename in between changes nothing but, perhaps, the
 * policy that is inherited. Run by one thread; it hears of its moves in others.
 */
final class MoveRound implements MoveDispatcher.Listener {
  private final DFSClient client;
  private final ClusterView view;
  private final TargetVolumes volumes;
  private final MoveDispatcher dispatcher;
  private final SettlingMoves settling;
  private final BooleanSupplier stopped;

  // Guarded by this.
  private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);
  private int underway;
  private int moved;
  private String failure = "";

  private int unsettled;
  private boolean gone;
  private boolean cutShort;

  MoveRound(
      DFSClient client,
      ClusterView view,
      MoveDispatcher dispatcher,
      SettlingMoves settling,
      BooleanSupplier stopped) {
    this.client = client;
    this.view = view;
    this.volumes = view.volumes();
    this.dispatcher = dispatcher;
    this.settling = settling;
    this.stopped = stopped;
  }

  /** Does it. */
  void run(long inode) throws IOException, InterruptedException {
    try {
      HdfsLocatedFileStatus status = find(inode);
      gone = status == null;
      if (!gone) {
        look(status);
      }
    } finally {
      awaitMoves();
    }
  }

  private HdfsLocatedFileStatus find(long inode) throws IOException {
    try {
      return client.getLocatedFileInfo(Inodes.path(inode), false);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Once stopped it stays so: what it has not looked at may be out of place. */
  private boolean isStopped() {
    cutShort |= stopped.getAsBoolean();
    return cutShort;
  }

  private void look(HdfsLocatedFileStatus status) throws IOException, InterruptedException {
    Deque<Long> directories = new ArrayDeque<>();
    look(status, directories);
    while (!directories.isEmpty() && !isStopped()) {
      list(directories.pop(), directories);
    }
  }

  private void look(HdfsFileStatus status, Deque<Long> directories) throws InterruptedException {
    if (status.isDirectory()) {
      directories.push(status.getFileId());
    } else if (status instanceof HdfsLocatedFileStatus file && !status.isSymlink()) {
      move(file);
    }
  }

  private void list(long directory, Deque<Long> directories)
      throws IOException, InterruptedException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    DirectoryListing page;
    do {
      page = page(directory, after);
      if (page == null) {
        return;
      }
      for (HdfsFileStatus child : page.getPartialListing()) {
        look(child, directories);
      }
      after = page.getLastName();
    } while (page.hasMore() && !isStopped());
  }

  private DirectoryListing page(long directory, byte[] after) throws IOException {
    try {
      return client.listPaths(Inodes.path(directory), after, true);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private void move(HdfsLocatedFileStatus file) throws InterruptedException {
    LocatedBlocks blocks = file.getLocatedBlocks();
    if (blocks == null) {
      return;
    }
    if (blocks.isUnderConstruction()) {
      add(Obstacle.OPEN);
    }
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (isStopped()) {
        return;
      }
      if (isComplete(block, blocks)) {
        move(block, file);
      }
    }
  }

  private static boolean isComplete(LocatedBlock block, LocatedBlocks blocks) {
    return blocks.isLastBlockComplete()
        || blocks.getLastLocatedBlock() == null
        || block.getStartOffset() < blocks.getLastLocatedBlock().getStartOffset();
  }

  private void move(LocatedBlock block, HdfsFileStatus file) throws InterruptedException {
    long now = System.nanoTime();
    List<Replica> replicas =
        block.isCorrupt() ? List.of() : Replica.of(block, file.getErasureCodingPolicy());
    int wanted = block.isStriped() ? replicas.size() : file.getReplication();
    BlockPlan plan = BlockPlan.of(replicas, view.policy(file), wanted, volumes);
    plan.obstacles().forEach(this::add);
    if (replicas.size() > wanted && settling.any(now)) {
      // One of them is about to be deleted, which is not known to be a wrong one.
      unsettled++;
      return;
    }
    for (ReplicaMove move : plan.moves()) {
      if (settling.contains(move, now)) {
        unsettled++;
      } else {
        begin(move);
      }
    }
  }

  private void begin(ReplicaMove move) throws InterruptedException {
    synchronized (this) {
      underway++;
    }
    try {
      dispatcher.dispatch(move, this);
    } catch (InterruptedException | RuntimeException e) {
      end();
      throw e;
    }
  }

  @Override
  public void moved(ReplicaMove move) {
    settling.add(move, System.nanoTime());
    synchronized (this) {
      moved++;
    }
    end();
  }

  @Override
  public void failed(ReplicaMove move, Exception why) {
    add(why instanceof BlockPinningException ? Obstacle.PINNED : Obstacle.IO_ERROR);
    synchronized (this) {
      failure = move + ": " + why;
    }
    end();
  }

  private synchronized void add(Obstacle obstacle) {
    obstacles.add(obstacle);
  }

  private synchronized void end() {
    underway--;
    notifyAll();
  }

  private synchronized void awaitMoves() throws InterruptedException {
    while (underway > 0) {
      wait();
    }
  }

  /** Whether it was stopped before it had looked at everything. */
  boolean wasCutShort() {
    return cutShort;
  }

  /** Whether there is no such file any longer. */
  boolean foundNothing() {
    return gone;
  }

  /** Whether replicas were moved, or were moved so recently that they may not be known yet. */
  synchronized boolean isUnsettled() {
    return moved > 0 || unsettled > 0;
  }

  synchronized boolean hasMoved() {
    return moved > 0;
  }

  /** The last move that failed, and why; empty if none has. */
  synchronized String failure() {
    return failure;
  }

  /** What stood in the way of others. */
  synchronized Set<Obstacle> obstacles() {
    return EnumSet.copyOf(obstacles);
  }
}
