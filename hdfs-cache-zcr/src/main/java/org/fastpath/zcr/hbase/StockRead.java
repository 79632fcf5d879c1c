package org.fastpath.zcr.hbase;

/** The reason why HBase read a block that could have been in a mapping. */
enum StockRead {
  /** A part of it is not mapped. The source {@code ZeroCopy} counts the reasons. */
  UNMAPPED("unmappedBlockCount", "Blocks read by HBase: not in locked memory of this machine"),
  /** It is not a data block, and its reader did not know the type. */
  NOT_DATA("otherBlockCount", "Blocks read by HBase: index and other blocks between data blocks"),
  /** Its header is invalid, or differs from the expected header. */
  MALFORMED("malformedBlockCount", "Blocks read by HBase: the mapping has no such block"),
  /** A checksum in the mapping does not match. */
  MISMATCH("checksumMismatchCount", "Blocks read by HBase: a checksum did not match"),
  /** The replica's file ends before the block does. */
  TRUNCATED("truncatedBlockCount", "Blocks read by HBase: the replica's file was truncated"),
  /** A failure that the log names. */
  FAILED("failedBlockCount", "Blocks read by HBase: a failure while the block was served");

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
