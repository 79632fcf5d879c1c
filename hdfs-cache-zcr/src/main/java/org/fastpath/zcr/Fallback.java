package org.fastpath.zcr;

/** Why a read went the stock way. */
enum Fallback {
  /** The DataNode does not hold the replica in locked memory. */
  UNCACHED("uncachedReadCount", "Reads the stock way: the replica is not in locked memory"),
  /** No DataNode of this machine offers the replica for short-circuit reads. */
  REMOTE("remoteReadCount", "Reads the stock way: no replica on this machine"),
  /** As many blocks or bytes are mapped as may be, and none could leave. */
  LIMIT("limitedReadCount", "Reads the stock way: the mappings were at their limit"),
  /** It is on a volume or of a size that cannot be mapped, or the kernel refused. */
  UNMAPPABLE("unmappableReadCount", "Reads the stock way: the replica cannot be mapped"),
  /** The replica's file is shorter than the block. */
  TRUNCATED("truncatedReadCount", "Reads the stock way: the replica's file was too short"),
  /** Another thread is mapping it, or has closed its descriptor. */
  BUSY("busyReadCount", "Reads the stock way: the block was being mapped, or is mapped again"),
  /** Something went wrong that the log tells. */
  FAILED("failedReadCount", "Reads the stock way: mapping the block failed");

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
