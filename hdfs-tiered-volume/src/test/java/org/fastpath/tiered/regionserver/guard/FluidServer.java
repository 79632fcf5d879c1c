package org.fastpath.tiered.regionserver.guard;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A RegionServer as a queue. Writers offer bytes, and a log accepts them while memstores have room.
 * From HBase's flush mark on, flushes remove pieces, one after the other.
 */
final class FluidServer {
  static final double MEGA = 1 << 20;
  private static final double LIMIT = 400 * MEGA;
  private static final double MARK = 0.95;
  private static final double STEP = 0.01;

  private final Random random = new Random(1);
  private final double capacity;
  private final double piece;
  private double slowness = 1;
  private double memStores;
  private double flushing;
  private double ingested;
  private double drained;
  private double seconds;
  private double blockedSeconds;

  /**
   * An empty one.
   *
   * @param capacity bytes a second that flushes can write
   * @param piece bytes of a flush
   */
  FluidServer(double capacity, double piece) {
    this.capacity = capacity;
    this.piece = piece;
  }

  /** Flushes reach so much less from now on. */
  void slower(double times) {
    slowness = times;
  }

  /** Lets a second pass in which writers offer so many bytes. */
  LoadSample second(double offered) {
    boolean blocked = false;
    for (int i = 0; i < Math.round(1 / STEP); i++) {
      blocked = memStores >= LIMIT;
      blockedSeconds += blocked ? STEP : 0;
      double in = blocked ? 0 : offered * STEP;
      memStores += in;
      ingested += in;
      flush();
    }
    seconds++;
    double fill = memStores / LIMIT;
    return new LoadSample(
        TimeUnit.SECONDS.toNanos(Math.round(seconds)),
        Math.round(ingested),
        Math.round(drained),
        (fill - MARK) / (1 - MARK),
        blocked ? 1 : 0);
  }

  /** A flush leaves memstores when all of it is written. */
  private void flush() {
    if (memStores >= MARK * LIMIT || flushing > 0) {
      // Not quite even, so that no sample is always taken at the same moment of a flush.
      flushing += capacity / slowness * STEP * 2 * random.nextDouble();
      if (flushing >= piece) {
        memStores -= piece;
        drained += piece;
        flushing = memStores >= MARK * LIMIT ? flushing - piece : 0;
      }
    }
  }

  double ingestedBytes() {
    return ingested;
  }

  double blockedShare() {
    return blockedSeconds / seconds;
  }
}
