package org.fastpath.zcr;

/** Why a mapping takes no new readers. */
enum Retirement {
  /** The DataNode wants to unlock the block's memory. */
  UNCACHED("uncachedMappingCount", "Mappings given up: the block left the locked memory"),
  /** The replica was deleted or moved, or its DataNode has gone. */
  INVALID("invalidMappingCount", "Mappings given up: replica or DataNode has gone"),
  /** The replica's file became shorter than the block. */
  TRUNCATED("truncatedMappingCount", "Mappings given up: the replica's file was truncated"),
  /** A stock reader that was interrupted has closed its descriptor. */
  REOPENED("reopenedMappingCount", "Mappings given up: a reader closed the shared descriptor"),
  /** It was not read for a while. */
  IDLE("idleMappingCount", "Mappings given up: not read for a while"),
  /** Another block needed the room. */
  REPLACED("replacedMappingCount", "Mappings given up: another block needed the room"),
  /** There is another one of the block that serves more readers, or came first. */
  SUPERSEDED("supersededMappingCount", "Mappings given up: the block has another one"),
  /** The last file system was closed. */
  CLOSED("closedMappingCount", "Mappings given up: the file system was closed");

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
