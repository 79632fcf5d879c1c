package org.fastpath.zcr.hbase;

/**
 * Signals that HBase must read a block. Each reason has one shared instance without a stack trace.
 */
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
