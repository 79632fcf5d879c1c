package org.fastpath.tiered.datanode.move;

/** The state of a request to move a file. */
public enum MoveState {
  /** In the queue, for the first or the next attempt. */
  WAITING,
  /** Replicas of the file are moving. */
  MOVING,
  /** Failed. It stays visible in the queue until it is cancelled or requested again. */
  FAILED,
  /** No longer in the queue: all replicas are where they should be, or the file is gone. */
  DONE
}
