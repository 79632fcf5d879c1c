package org.fastpath.zcr;

/** The reason of a stock read. */
enum Fallback {
  /** The DataNode does not hold the replica in locked memory. */
  UNCACHED("uncachedReadCount", "Stock reads: the replica is not in locked memory"),
  /** No DataNode of this machine offers the replica for short-circuit reads. */
  REMOTE("remoteReadCount", "Stock reads: no replica on this machine"),
  /** The limit of mapped blocks or bytes is reached, and no mapping could be replaced. */
  LIMIT("limitedReadCount", "Stock reads: the mappings were at their limit"),
  /** Its volume or size does not allow a mapping, or the kernel refused one. */
  UNMAPPABLE("unmappableReadCount", "Stock reads: the replica cannot be mapped"),
  /** The replica's file is shorter than the block. */
  TRUNCATED("truncatedReadCount", "Stock reads: the replica's file was too short"),
  /** Another thread is mapping it, or has closed its descriptor. */
  BUSY("busyReadCount", "Stock reads: the block was being mapped, or is mapped again"),
  /** A failure that the log names. */
  FAILED("failedReadCount", "Stock reads: mapping the block failed");

  private final String metric;
  private final String description;
  private final NotMappedException exception = new NotMappedException(this);

  Fallback(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }

  NotMappedException exception() {
    return exception;
  }
}
