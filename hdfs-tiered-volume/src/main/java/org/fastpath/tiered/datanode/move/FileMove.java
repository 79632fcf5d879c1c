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
 * The move of one file. It plans the moves of replicas, gets their results, and schedules the next
 * question to the NameNode. Only the NameNode knows whether the file is in place.
 *
 * <p>One thread at a time plans; moves end on other threads.
 */
final class FileMove implements MoveDispatcher.Listener {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long MAX_PAUSE_MILLIS = 1_000;

  private final long inode;
  private final InodeMove owner;
  private final SettlingMoves settling = new SettlingMoves();
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private int unsettled;

  // Guarded by this.
  private final Set<MoveFailureReason> failureReasons = EnumSet.noneOf(MoveFailureReason.class);
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

  /** Begins to move misplaced replicas, by the NameNode's current answer. */
  void plan(HdfsLocatedFileStatus file, ClusterView view, MoveDispatcher dispatcher) {
    synchronized (this) {
      failureReasons.clear();
      full.clear();
      moved = 0;
      dropped = false;
    }
    unsettled = 0;
    LocatedBlocks blocks = file.getLocatedBlocks();
    if (blocks.isUnderConstruction()) {
      add(MoveFailureReason.OPEN);
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
      // One replica is about to be deleted, perhaps a correct one.
      unsettled++;
      return;
    }
    BlockPlan plan =
        BlockPlan.of(
            replicas, view.policy(file), wanted, view.volumes(), view.rule(block.isStriped()));
    plan.failureReasons().forEach(this::add);
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
      failureReasons.add(
          why instanceof BlockPinningException
              ? MoveFailureReason.PINNED
              : MoveFailureReason.IO_ERROR);
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

  private synchronized void add(MoveFailureReason failureReason) {
    failureReasons.add(failureReason);
  }

  /** Schedules the next question to the NameNode. Each pause is twice as long. */
  synchronized void pause() {
    dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
  }

  /** Returns whether replicas are moving. */
  synchronized boolean isMoving() {
    return underway > 0;
  }

  /**
   * Returns whether the NameNode may not know of finished moves yet. Call it only if no replica
   * moves.
   */
  synchronized boolean isUnsettled() {
    return moved > 0 || unsettled > 0;
  }

  synchronized boolean hasMoved() {
    return moved > 0;
  }

  /** Returns whether a move was cancelled before it began. */
  synchronized boolean wasDropped() {
    return dropped;
  }

  /** Returns the nanoseconds until the next question to the NameNode; not positive if it is due. */
  synchronized long nanosUntilDue(long nowNanos) {
    return dueNanos - nowNanos;
  }

  /** Returns the last failed move with its reason; empty if none failed. */
  synchronized String failure() {
    return failure;
  }

  /** Returns the reasons of failed moves. */
  synchronized Set<MoveFailureReason> failureReasons() {
    return EnumSet.copyOf(failureReasons);
  }

  /** Returns the wanted types without room. */
  synchronized Set<StorageType> full() {
    return EnumSet.copyOf(full);
  }
}
