package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The context of a preparation, which reads rows before HBase asks for them. Its limits look like
 * those of a client's request but are never reached. If a bound is exceeded, {@link Exceeded} ends
 * the preparation, so the current row is not counted. Not thread-safe.
 */
final class PreparingContext extends ScannerContext {
  /** The number of cells between two checks of the time. HBase's number is ten thousand. */
  private static final int CELLS_PER_LOOK = 64;

  /** Limits of a request that supports partial rows and heartbeats. */
  private static final ScannerContext REQUEST =
      newBuilder(true)
          .setSizeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE)
          .setTimeLimit(LimitScope.BETWEEN_CELLS, Long.MAX_VALUE)
          .build();

  /** Signals that a bound was exceeded. All threads share one instance. */
  static final class Exceeded extends Error {
    private static final long serialVersionUID = 1L;
    private static final Exceeded INSTANCE = new Exceeded();

    private Exceeded() {
      super("the rows exceed the bounds of inline reads", null, false, false);
    }
  }

  /**
   * The bounds of a request's reads.
   *
   * @param cells the most returned cells
   * @param bytes the most bytes of returned cells
   * @param blockBytes the most bytes of read blocks, including skipped cells
   * @param millis the longest time in milliseconds
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

  /** Ends the row. */
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

  /** Returns the bytes of data in this call. */
  long dataBytes() {
    return getDataSizeProgress() - dataBefore;
  }

  /** Returns the bytes on the heap in this call. */
  long heapBytes() {
    return getHeapSizeProgress() - heapBefore;
  }

  /** Returns the bytes of blocks in this call. */
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

  /** Checks the bounds. HBase calls this after each cell, returned or not. */
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
