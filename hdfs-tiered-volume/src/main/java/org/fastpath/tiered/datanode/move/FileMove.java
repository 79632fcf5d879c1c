package org.fastpath.tiered.datanode.move;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;

/**
 * One file on its way: plans its moves, hears how they end, and says when the NameNode is to be
 * asked about the file again. Only the NameNode knows whether the file is in place.
 *
 * <p>Planned by one thread at a time; moves end in others.
 */
final class FileMove implements MoveDispatcher.Listener {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final long inode;
  private final InodeMove owner;
  private final SettlingMoves settling = new SettlingMoves();
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private int unsettled;

  // Guarded by this.
  private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);
  private final Set<StorageType> full = EnumSet.noneOf(StorageType.class);
  private int underway;
  private int moved;
  private boolean dropped;
  private long dueNanos;
  private String failure = "";

  FileMove(long inode, InodeMove owner) {
    this.inode = inode;
    this.owner = owner;
  }

  long inode() {
    return inode;
  }

  /** Begins to move what is not in place, by what the NameNode says now. */
  void plan(HdfsLocatedFileStatus file, ClusterView view, MoveDispatcher dispatcher) {
    synchronized (this) {
      obstacles.clear();
      full.clear();
      moved = 0;
      dropped = false;
    }
    unsettled = 0;
    LocatedBlocks blocks = file.getLocatedBlocks();
    if (blocks.isUnderConstruction()) {
      add(Obstacle.OPEN);
    }
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (isComplete(block, blocks)) {
        plan(block, file, view, dispatcher);
      }
    }
  }

  private static boolean isComplete(LocatedBlock block, LocatedBlocks blocks) {
    return blocks.isLastBlockComplete()
        || blocks.getLastLocatedBlock() == null
        || block.getStartOffset() < blocks.getLastLocatedBlock().getStartOffset();
  }

  private void plan(
      LocatedBlock block, HdfsLocatedFileStatus file, ClusterView view, MoveDispatcher dispatcher) {
    long now = System.nanoTime();
    List<Replica> replicas =
        block.isCorrupt() ? List.of() : Replica.of(block, file.getErasureCodingPolicy());
    int wanted = block.isStriped() ? replicas.size() : file.getReplication();
    if (replicas.size() > wanted && settling.any(now)) {
      // One of them is about to be deleted, which is not known to be a wrong one.
      unsettled++;
      return;
    }
    BlockPlan plan =
        BlockPlan.of(
            replicas, view.policy(file), wanted, view.volumes(), view.rule(block.isStriped()));
    plan.obstacles().forEach(this::add);
    synchronized (this) {
      full.addAll(plan.full());
    }
    for (ReplicaMove move : plan.moves()) {
      if (settling.contains(move, now)) {
        unsettled++;
      } else {
        begin(move, dispatcher);
      }
    }
  }

  private void begin(ReplicaMove move, MoveDispatcher dispatcher) {
    synchronized (this) {
      underway++;
    }
    dispatcher.dispatch(move, this);
  }

  @Override
  public boolean isWanted() {
    return !owner.isStopped();
  }

  @Override
  public void moved(ReplicaMove move) {
    settling.add(move, System.nanoTime());
    owner.context().tiers().hasRoom(move.to());
    synchronized (this) {
      moved++;
    }
    end();
  }

  @Override
  public void failed(ReplicaMove move, Exception why) {
    synchronized (this) {
      obstacles.add(why instanceof BlockPinningException ? Obstacle.PINNED : Obstacle.IO_ERROR);
      failure = move + ": " + why;
    }
    end();
  }

  @Override
  public void dropped(ReplicaMove move) {
    synchronized (this) {
      dropped = true;
    }
    end();
  }

  private void end() {
    boolean last;
    synchronized (this) {
      underway--;
      last = underway == 0;
      if (last) {
        pauseMillis = moved > 0 ? FIRST_PAUSE_MILLIS : pauseMillis;
        pause();
      }
    }
    if (last) {
      owner.wake();
    }
  }

  private synchronized void add(Obstacle obstacle) {
    obstacles.add(obstacle);
  }

  /** Has the NameNode asked again after a pause; each pause is twice as long. */
  synchronized void pause() {
    dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
  }

  /** Whether replicas are on their way. */
  synchronized boolean isMoving() {
    return underway > 0;
  }

  /** Whether the NameNode may not know yet what was moved; only of one that is not moving. */
  synchronized boolean isUnsettled() {
    return moved > 0 || unsettled > 0;
  }

  synchronized boolean hasMoved() {
    return moved > 0;
  }

  /** Whether a move was taken back before it began. */
  synchronized boolean wasCutShort() {
    return dropped;
  }

  /** Nanoseconds until the NameNode is to be asked; not positive if that is now. */
  synchronized long nanosUntilDue(long nowNanos) {
    return dueNanos - nowNanos;
  }

  /** The last move that failed, and why; empty if none has. */
  synchronized String failure() {
    return failure;
  }

  /** What stood in the way. */
  synchronized Set<Obstacle> obstacles() {
    return EnumSet.copyOf(obstacles);
  }

  /** Types of volumes that were wanted and of which none had room. */
  synchronized Set<StorageType> full() {
    return EnumSet.copyOf(full);
  }
}
