package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The context in which rows are read before HBase asks for them. A scanner finds limits like those
 * of a client's request, which are never reached. A bound that is exceeded ends the reading by
 * {@link Exceeded} instead, so nothing of the row is counted. For one thread.
 */
final class PreparingContext extends ScannerContext {
  /** HBase looks at the time once in ten thousand cells. */
  private static final int CELLS_PER_LOOK = 64;

  /** Limits of a request that knows partial rows and heartbeats. */
  private static final ScannerContext REQUEST =
      newBuilder(true)
          .setSizeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)
          .setTimeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE)
          .build();

  /** Says that a bound was exceeded. One object for all threads. */
  static final class Exceeded extends Error {
    private static final long serialVersionUID = 1L;
    private static final Exceeded INSTANCE = new Exceeded();

    private Exceeded() {
      super("the rows exceed the bounds of inline reads", null, false, false);
    }
  }

  /**
   * The most that may be read for a request.
   *
   * @param cells the cells that are returned
   * @param bytes the bytes of them
   * @param blockBytes the bytes of blocks, cells that are not returned included
   * @param millis the time
   */
  record Bounds(int cells, long bytes, long blockBytes, long millis) {}

  private final Bounds bounds;
  private final StoreReads reads;
  private final long deadline;
  private long dataBefore;
  private long heapBefore;
  private long blocksBefore;
  private int cellsBeforeRow;
  private long bytesBeforeRow;
  private int cellsOfRow;
  private long bytesOfRow;
  private int looks;
  private boolean immediately;

  PreparingContext(Bounds bounds, StoreReads reads) {
    super(true, null, false);
    this.bounds = bounds;
    this.reads = reads;
    deadline = EnvironmentEdgeManager.currentTime() + bounds.millis();
    limits = REQUEST.limits;
  }

  /** Begins the next row. */
  void beginRow() {
    cellsBeforeRow = getBatchProgress();
    bytesBeforeRow = getDataSizeProgress();
  }

  /** Ends it. */
  void endRow() {
    cellsOfRow = getBatchProgress() - cellsBeforeRow;
    bytesOfRow = getDataSizeProgress() - bytesBeforeRow;
  }

  /** Returns whether another row like the last one fits. */
  boolean hasRoom() {
    return getBatchProgress() + cellsOfRow <= bounds.cells()
        && getDataSizeProgress() + bytesOfRow <= bounds.bytes();
  }

  /** Begins the next call. */
  void beginCall() {
    dataBefore = getDataSizeProgress();
    heapBefore = getHeapSizeProgress();
    blocksBefore = getBlockSizeProgress();
  }

  /** Returns the progress of this call. */
  long dataBytes() {
    return getDataSizeProgress() - dataBefore;
  }

  /** Returns the progress of this call. */
  long heapBytes() {
    return getHeapSizeProgress() - heapBefore;
  }

  /** Returns the progress of this call. */
  long blockBytes() {
    return getBlockSizeProgress() - blocksBefore;
  }

  StoreReads reads() {
    return reads;
  }

  /** Returns whether a scanner asked to end the request. */
  boolean isImmediate() {
    return immediately;
  }

  @Override
  void returnImmediately() {
    immediately = true;
    super.returnImmediately();
  }

  /** Asked for after each cell, returned or not. */
  @Override
  boolean checkSizeLimit(LimitScope scope) {
    if (getBatchProgress() > bounds.cells()
        || getDataSizeProgress() > bounds.bytes()
        || getBlockSizeProgress() > bounds.blockBytes()
        || (++looks % CELLS_PER_LOOK == 0 && EnvironmentEdgeManager.currentTime() > deadline)) {
      throw Exceeded.INSTANCE;
    }
    return false;
  }
}
