package org.fastpath.tiered.datanode.move;

/**
 * A mover with nothing to move, so that its source tells what it has without an HDFS. In this
 * package because the class is nobody else's business.
 */
public final class SampleMoves {
  private SampleMoves() {}

  /** Makes the source register. */
  public static void publish() {
    new MoveMetrics(() -> 0, () -> 0);
  }
}
