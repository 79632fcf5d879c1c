package org.fastpath.tiered.datanode.move;

import java.io.IOException;

/** Moves one replica and returns when it is done. */
@FunctionalInterface
interface ReplicaTransfer {
  /** Moves it. */
  void move(ReplicaMove move) throws IOException;
}
