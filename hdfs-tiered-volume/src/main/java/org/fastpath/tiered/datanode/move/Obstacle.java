package org.fastpath.tiered.datanode.move;

/** Why the replicas of a file are not yet where its policy wants them. */
enum Obstacle {
  /** Its last block cannot be moved before it is complete: waits, however long it takes. */
  OPEN("the file is being written"),
  NO_TARGET("no DataNode has a volume of the wanted type with room"),
  NO_REPLICA("a block has no replica that can be read"),
  IN_MEMORY("a replica is in memory or provided, where DataNodes move nothing from"),
  IO_ERROR("a DataNode did not move a replica: see the mover's log"),
  PINNED("a replica is pinned to its DataNode, which has no volume of the wanted type"),
  NOT_PERMITTED("the user who requested it may not write the file");

  private final String description;

  Obstacle(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }

  /** Whether waiting is all that is to be done, and nothing to give up over. */
  boolean passes() {
    return this == OPEN;
  }

  /** Whether another attempt would end as this one. */
  boolean isPermanent() {
    return this == PINNED || this == NOT_PERMITTED;
  }
}
