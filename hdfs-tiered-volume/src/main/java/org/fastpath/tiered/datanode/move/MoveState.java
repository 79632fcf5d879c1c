package org.fastpath.tiered.datanode.move;

/** How far a request to move a file has come. */
public enum MoveState {
  /** In the queue, for the first time or for the next attempt. */
  WAITING,
  /** Replicas of it are moving. */
  MOVING,
  /** Given up. It stays in the queue to be seen, until it is cancelled or requested again. */
  FAILED,
  /** No longer in the queue: all replicas are where they should be, or the file is gone. */
  DONE
}
