package org.fastpath.zcr;

/** The reason why a mapping takes no new readers. */
enum Retirement {
  /** The DataNode wants to unlock the block's memory. */
  UNCACHED("uncachedMappingCount", "Retired mappings: the block left the locked memory"),
  /** The replica was deleted or moved, or its DataNode has gone. */
  INVALID("invalidMappingCount", "Retired mappings: replica or DataNode has gone"),
  /** The replica's file became shorter than the block. */
  TRUNCATED("truncatedMappingCount", "Retired mappings: the replica's file was truncated"),
  /** A stock reader that was interrupted has closed its descriptor. */
  REOPENED("reopenedMappingCount", "Retired mappings: a reader closed the shared descriptor"),
  /** It was not read for a while. */
  IDLE("idleMappingCount", "Retired mappings: not read for a while"),
  /** Another block needed the room. */
  REPLACED("replacedMappingCount", "Retired mappings: another block needed the room"),
  /** The block has another mapping that serves more readers or was first. */
  SUPERSEDED("supersededMappingCount", "Retired mappings: the block has another one"),
  /** The last file system was closed. */
  CLOSED("closedMappingCount", "Retired mappings: the file system was closed");

  private final String metric;
  private final String description;

  Retirement(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }
}
