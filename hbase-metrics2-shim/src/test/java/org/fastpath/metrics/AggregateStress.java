package org.fastpath.metrics;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Pseudo-sources that come and go while a snapshot is taken, under jcstress; {@link JcstressTest}
 * runs it.
 */
public final class AggregateStress {
  private AggregateStress() {}

  /** Counts the records of pseudo-sources, whole ones as 1, others as 100. */
  private static final class Whole implements RecordSink {
    private long whole;
    private int figures;
    private boolean torn;

    static long in(AggregateSource source) {
      Whole sink = new Whole();
      source.snapshot(sink);
      sink.end();
      return sink.whole;
    }

    @Override
    public void record(List<String> tags, List<String> values) {
      end();
      figures = 1;
    }

    @Override
    public void counter(MetricDefinition definition, long value) {
      figures++;
      torn |= value != 5;
    }

    @Override
    public void gauge(MetricDefinition definition, long value) {
      figures++;
    }

    @Override
    public void text(MetricDefinition definition, String value) {
      figures++;
    }

    private void end() {
      if (figures > 0) {
        whole += figures == 3 && !torn ? 1 : 100;
      }
      figures = 0;
    }
  }

  private static AggregateSource source() {
    return new AggregateSource("Stress", "Of a test", List.of("thing"));
  }

  private static Registration register(AggregateSource source, String thing) {
    SourceBuilder builder = source.pseudoSource(thing);
    Counter first = builder.counter("firstCount", "Of a test");
    Counter second = builder.counter("secondCount", "Of a test");
    first.add(5);
    second.add(5);
    return builder.register();
  }

  /** One leaves, then another one joins: the snapshots cannot both have both. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 0", "1, 1", "2, 1", "1, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "once or not at all, and whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "twice, or not whole")
  @State
  public static class LeaveAndJoin {
    private final AggregateSource source = source();
    private final Registration first = register(source, "first");

    /** A region that closes, and one that opens. */
    @Actor
    public void leavesAndJoins() {
      first.close();
      register(source, "second");
    }

    /** Two snapshots, one after the other. */
    @Actor
    public void snapshots(JJ_Result result) {
      result.r1 = Whole.in(source);
      result.r2 = Whole.in(source);
    }
  }

  /** The same thing joins twice at a time, as when a region moves away and back. */
  @JCStressTest
  @Outcome(
      id = {"0", "1"},
      expect = Expect.ACCEPTABLE,
      desc = "once or not at all, and whole")
  @Outcome(expect = Expect.FORBIDDEN, desc = "twice, or not whole")
  @State
  public static class TheSameTwice {
    private final AggregateSource source = source();

    /** It opens and closes. */
    @Actor
    public void joinsAndLeaves() {
      register(source, "first").close();
    }

    /** It opens, and a snapshot is taken. */
    @Actor
    public void joinsAndIsSeen(J_Result result) {
      register(source, "first");
      result.r1 = Whole.in(source);
    }
  }

  /** The roll-up has the counts of a member exactly once while it leaves. */
  @JCStressTest
  @Outcome(id = "5, 10", expect = Expect.ACCEPTABLE, desc = "counted once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "not counted, or twice")
  @State
  public static class LeavesRollUp {
    private final HistogramRollUp rollUp = new HistogramRollUp();
    private final Histogram member =
        new CompactHistogram(new CompactLongs().counter(0), new CompactLongs().counter(1));

    /** Before all. */
    public LeavesRollUp() {
      rollUp.add(member);
      member.record(2, 5);
    }

    /** A region that closes. */
    @Actor
    public void leaves() {
      rollUp.remove(member);
    }

    /** A snapshot of its table. */
    @Actor
    public void snapshots(JJ_Result result) {
      Distribution distribution = new Distribution();
      rollUp.addTo(distribution);
      result.r1 = distribution.count();
      result.r2 = distribution.total();
    }
  }
}
