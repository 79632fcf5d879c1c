package org.fastpath.zcr.hbase;

/** A block is for HBase to read. One for each reason, without a stack trace. */
final class NotServedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final StockRead why;

  NotServedException(StockRead why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  StockRead why() {
    return why;
  }
}
