package org.fastpath.tiered.datanode.move;

/** Why the replicas of a file are not yet where its policy wants them. */
enum MoveFailureReason {
  /** The last block cannot be moved before it is complete. The request waits without a limit. */
  OPEN("the file is being written"),
  NO_TARGET("no DataNode has a volume of the wanted type with room"),
  NO_REPLICA("a block has no replica that can be read"),
  IN_MEMORY("a replica is in memory or on provided storage, from which DataNodes move nothing"),
  IO_ERROR("a DataNode did not move a replica: see the mover's log"),
  PINNED("a replica is pinned to its DataNode, which has no volume of the wanted type"),
  NOT_PERMITTED("the user who requested it may not write the file");

  private final String description;

  MoveFailureReason(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }

  /** Returns whether the reason ends by itself, so the request only waits. */
  boolean passes() {
    return this == OPEN;
  }

  /** Returns whether another attempt would fail too. */
  boolean isPermanent() {
    return this == PINNED || this == NOT_PERMITTED;
  }
}
