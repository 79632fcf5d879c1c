package org.fastpath.tiered.regionserver.guard;

import java.util.concurrent.TimeUnit;

/**
 * Tells a lasting overload of the tier that flushes and compactions write to from all else that
 * fills memstores.
 *
 * <p><b>The trap.</b> A write is acknowledged when it is in the log, and has to go to a store file
 * later, and from there through several compactions. So the log's tier decides how fast writes are
 * taken, and the store files' tier, whose bandwidth B is divided by the write amplification A, how
 * fast they are worked off. Where the first is faster than B / A the difference collects in
 * memstores until HBase holds all writes up, then a flush makes room and the log takes a burst that
 * fills it again. With its log in memory and its files on hard disks HBase was 11 % slower than
 * with both on hard disks [1]. It is a fluid queue with a finite buffer: its mean rate cannot
 * exceed B / A for long, whatever the buffer [2].
 *
 * <p><b>Why B and A need not be known.</b> Neither can be told from outside: B changes with what
 * else the disks do, A with the shape of the store. But their quotient is what memstores lose per
 * second while flushes never wait for work, which can be counted. Both effects of compactions are
 * in it: their share of the bandwidth, and flushes that wait because a store has too many files. So
 * <em>capacity</em> is the bytes flushed in pressed time divided by that time, where a moment is
 * pressed if memstores are well beyond the mark from which HBase flushes without being asked: at
 * the mark flushes do what comes in, and nothing can be learned of what they could do. What is
 * drained is all drained in pressed time or with ease, so capacity errs to the low side at most
 * down to ingest, and no overload is seen where no write is held up. While writes are throttled,
 * what comes in without pressure is taken too, and raises capacity.
 *
 * <p><b>Why ingest does not show it.</b> Over time a server that blocks takes exactly what it works
 * off, so ingest equals capacity in the deepest trap. What tells is how fast writes come in while
 * they are let in: <em>demand</em> is the bytes appended divided by the time that was not blocked.
 * Demand above capacity by the ratio that is configured, while flushes are pressed much of the
 * time, is an overload; nothing else is. Many regions on little memory are pressed all day without
 * one, as demand equals capacity then; a slow log blocks nothing here; a burst that memstores can
 * hold is what they are for.
 *
 * <p><b>Why it does not flap.</b> The sums forget exponentially, with the time constant {@code
 * sustained-seconds}; an overload has to show in them for as long again until it counts, and its
 * end for {@code recovery-seconds}, by limits halfway to those of its beginning. Time that speaks
 * against it is taken off what speaks for it [4], so that a flush that is large for the time
 * constant delays the verdict and does not prevent it. A flush comes off memstores in one piece
 * when it is done; the interval before it counts as pressed if either end of it was, as the piece
 * was written in it. While writes are throttled, demand cannot be seen; the end is then that they
 * no longer make use of what they are allowed.
 *
 * <p>For one thread. The clock is that of the samples.
 *
 * <ol>
 *   <li>J. Du, W. Zhou, <em>HDFS HSM and HBase</em>, parts 5 and 6, Apache HBase blog, 2016
 *   <li>D. Anick, D. Mitra, M. Sondhi, <em>Stochastic Theory of a Data-Handling System with
 *       Multiple Sources</em>, Bell System Technical Journal 61(8), 1982
 *   <li>C. Luo, M. Carey, <em>On Performance Stability in LSM-based Storage Systems</em>, PVLDB
 *       13(4), 2019
 *   <li>E. Page, <em>Continuous Inspection Schemes</em>, Biometrika 41(1/2), 1954
 * </ol>
 */
final class OverloadModel {
  /** Of the time, pressed: from which on there can be an overload, and below which it ends. */
  private static final double PRESSED = 0.3;

  private static final double RELIEVED = 0.15;

  /** Pressed time, in time constants, that capacity is known from. */
  private static final double LEARNED = 0.4;

  /** Even where nearly all is blocked something is let in. */
  private static final double LEAST_OPEN = 0.02;

  /** Writers that leave so much of what they are allowed are not held up by it. */
  private static final double UNUSED = 0.8;

  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final double window;
  private final double enterRatio;
  private final double leaveRatio;
  private final double enterAfter;
  private final double leaveAfter;

  private LoadSample last;
  private double time;
  private double openTime;
  private double pressedTime;
  private double ingested;
  private double drainedPressed;
  private double capacity = LoadState.UNKNOWN;
  private boolean overloaded;
  private double againstFor;

  OverloadModel(GuardOptions options) {
    window = options.sustainedSeconds();
    enterRatio = options.overloadRatio();
    leaveRatio = (1 + enterRatio) / 2;
    enterAfter = options.sustainedSeconds();
    leaveAfter = options.recoverySeconds();
  }

  /**
   * Takes a sample.
   *
   * @param allowed bytes a second that writes are throttled to, 0 if they are not
   */
  LoadState update(LoadSample sample, double allowed) {
    double seconds = last == null ? 0 : (sample.nanos() - last.nanos()) / SECOND;
    if (seconds > 0) {
      add(sample, seconds, allowed);
      judge(seconds, allowed);
    }
    last = sample;
    return time == 0
        ? LoadState.NONE
        : new LoadState(
            overloaded,
            ingested / time,
            demand(),
            capacity,
            pressedTime / time,
            1 - openTime / time,
            sample.pressure());
  }

  private void add(LoadSample sample, double seconds, double allowed) {
    double kept = Math.exp(-seconds / window);
    boolean pressed = last.isPressed() || sample.isPressed();
    time = time * kept + seconds;
    openTime = openTime * kept + seconds * (1 - sample.blockedShare());
    ingested = ingested * kept + gain(last.ingestedBytes(), sample.ingestedBytes());
    pressedTime = pressedTime * kept + (pressed ? seconds : 0);
    drainedPressed =
        drainedPressed * kept + (pressed ? gain(last.drainedBytes(), sample.drainedBytes()) : 0);
    if (pressed && pressedTime >= LEARNED * window) {
      capacity = drainedPressed / pressedTime;
    } else if (!pressed && allowed > 0) {
      capacity = Math.max(capacity, ingested / time);
    }
  }

  /** Counts that were of regions which have left do not make a rate negative. */
  private static double gain(long before, long after) {
    return Math.max(0, after - before);
  }

  private double demand() {
    return ingested / Math.max(openTime, time * LEAST_OPEN);
  }

  private void judge(double seconds, double allowed) {
    boolean against = overloaded ? isRelieved(allowed) : isOverload();
    againstFor = Math.max(0, againstFor + (against ? seconds : -seconds));
    if (againstFor >= (overloaded ? leaveAfter : enterAfter)) {
      overloaded = !overloaded;
      againstFor = 0;
    }
  }

  private boolean isOverload() {
    return capacity != LoadState.UNKNOWN
        && pressedTime >= PRESSED * time
        && demand() >= enterRatio * capacity;
  }

  private boolean isRelieved(double allowed) {
    if (allowed > 0) {
      return ingested / time < UNUSED * allowed;
    }
    return pressedTime < RELIEVED * time || demand() < leaveRatio * capacity;
  }
}
