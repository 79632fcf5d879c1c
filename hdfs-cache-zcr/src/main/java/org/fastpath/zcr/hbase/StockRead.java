package org.fastpath.zcr.hbase;

/** Why HBase read a block that was looked for in mappings. */
enum StockRead {
  /** Not all of it is mapped; the source {@code ZeroCopy} counts by reason. */
  UNMAPPED("unmappedBlockCount", "Blocks read by HBase: not in locked memory of this machine"),
  /** It was read without saying what is wanted, and is no data block. */
  NOT_DATA("otherBlockCount", "Blocks read by HBase: between data blocks, and none"),
  /** Its header is none, or not what was to be expected here. */
  MALFORMED("malformedBlockCount", "Blocks read by HBase: the mapping has no such block"),
  /** A checksum in the mapping does not match. */
  MISMATCH("checksumMismatchCount", "Blocks read by HBase: a checksum did not match"),
  /** The replica's file ends before the block does. */
  TRUNCATED("truncatedBlockCount", "Blocks read by HBase: the replica's file was truncated"),
  /** Something went wrong that the log tells. */
  FAILED("failedBlockCount", "Blocks read by HBase: serving them failed");

  private final String metric;
  private final String description;
  private final NotServedException exception = new NotServedException(this);

  StockRead(String metric, String description) {
    this.metric = metric;
    this.description = description;
  }

  String metric() {
    return metric;
  }

  String description() {
    return description;
  }

  NotServedException exception() {
    return exception;
  }
}
