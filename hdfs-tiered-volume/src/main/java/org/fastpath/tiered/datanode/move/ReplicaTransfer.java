package org.fastpath.tiered.datanode.move;

import java.io.IOException;

/** Moves one replica and returns when it is done. */
@FunctionalInterface
interface ReplicaTransfer {
  /** Moves the replica. */
  void move(ReplicaMove move) throws IOException;
}
