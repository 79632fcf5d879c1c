package org.fastpath.metrics;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Counters under jcstress; {@link JcstressTest} runs it. The last one is a counter with a mistake,
 * which proves that a mistake is found.
 */
public final class CounterStress {
  private CounterStress() {}

  /** A reader's sums never go back, and nothing is missing when all is over. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 2", "0, 1, 2", "0, 2, 2", "1, 1, 2", "1, 2, 2", "2, 2, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "a sum grows")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a sum went back, or an addition was lost")
  @State
  public static class Striped {
    private final Counter counter = new StripedLongs().counter(3);

    /** The owner of a slot. */
    @Actor
    public void adds() {
      counter.increment();
      counter.increment();
    }

    /** A thread that takes snapshots. */
    @Actor
    public void reads(JJJ_Result result) {
      result.r1 = counter.sum();
      result.r2 = counter.sum();
    }

    /** After both. */
    @Arbiter
    public void atTheEnd(JJJ_Result result) {
      result.r3 = counter.sum();
    }
  }

  /** The same of the sums of a pseudo-source. */
  @JCStressTest
  @Outcome(
      id = {"0, 1, 2", "0, 2, 2", "1, 2, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "a sum grows")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a sum went back, or an addition was lost")
  @State
  public static class Compact {
    private final Counter counter = new CompactLongs().counter(3);

    /** A thread that adds. */
    @Actor
    public void adds() {
      counter.increment();
    }

    /** Another one, which also reads. */
    @Actor
    public void addsAndReads(JJJ_Result result) {
      result.r1 = counter.sum();
      counter.increment();
      result.r2 = counter.sum();
    }

    /** After both. */
    @Arbiter
    public void atTheEnd(JJJ_Result result) {
      result.r3 = counter.sum();
    }
  }

  /** Threads that add at the same time do not lose each other's additions. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "nothing lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an addition was lost")
  @State
  public static class TwoOwners {
    private final Counter counter = new StripedLongs().counter(0);

    /** The first. */
    @Actor
    public void first() {
      counter.increment();
    }

    /** The second. */
    @Actor
    public void second() {
      counter.increment();
    }

    /** After both. */
    @Arbiter
    public void atTheEnd(J_Result result) {
      result.r1 = counter.sum();
    }
  }

  /** The greatest value of a minute is seen while the minute ends. */
  @JCStressTest
  @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "it is seen")
  @Outcome(expect = Expect.FORBIDDEN, desc = "it was not there for a moment")
  @State
  public static class GreatestWhileAMinuteEnds {
    private final RecentMax max = new RecentMax();

    /** Before all. */
    public GreatestWhileAMinuteEnds() {
      max.offer(7);
    }

    /** The clock. */
    @Actor
    public void advances() {
      max.advance();
    }

    /** A thread that takes snapshots. */
    @Actor
    public void reads(J_Result result) {
      result.r1 = max.max();
    }
  }

  /** Cells that nobody owns, with plain additions: jcstress must find that some are lost. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "nothing lost")
  @Outcome(expect = Expect.FORBIDDEN, desc = "an addition was lost")
  @State
  public static class Broken {
    private final long[] cells = new long[1];

    /** A thread that adds. */
    @Actor
    public void adds() {
      cells[0]++;
    }

    /** Another one. */
    @Actor
    public void addsToo() {
      cells[0]++;
    }

    /** After both. */
    @Arbiter
    public void atTheEnd(J_Result result) {
      result.r1 = cells[0];
    }
  }
}
