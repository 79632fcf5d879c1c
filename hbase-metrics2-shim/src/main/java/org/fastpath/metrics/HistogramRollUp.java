package org.fastpath.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The sum of the histograms of some pseudo-sources, such as the regions of a table. It is computed
 * at each snapshot. The counts of a member stay in the sum after the member leaves.
 *
 * <p>Members join and leave on any thread, without a lock. The state is replaced as a whole, so a
 * snapshot counts each member exactly once.
 */
public final class HistogramRollUp {
  private final AtomicReference<State> state =
      new AtomicReference<>(new State(new Distributed[0], 0, 0));

  private record State(Distributed[] members, long keptCount, long keptTotal) {
    State with(Distributed member) {
      Distributed[] more = Arrays.copyOf(members, members.length + 1);
      more[members.length] = member;
      return new State(more, keptCount, keptTotal);
    }

    State without(Distributed member) {
      int index = Arrays.asList(members).indexOf(member);
      if (index < 0) {
        return this;
      }
      Distributed[] less = Arrays.copyOf(members, members.length - 1);
      if (index < less.length) {
        less[index] = members[members.length - 1];
      }
      return new State(less, keptCount + member.count(), keptTotal + member.total());
    }
  }

  /** Adds the histogram of a pseudo-source. */
  public void add(Histogram member) {
    if (member instanceof CompactHistogram compact) {
      state.updateAndGet(old -> old.with(compact));
    }
  }

  /**
   * Removes a histogram that gets no more values. Its number and total stay; its distribution is
   * dropped.
   */
  public void remove(Histogram member) {
    if (member instanceof CompactHistogram compact) {
      state.updateAndGet(old -> old.without(compact));
    }
  }

  void addTo(Distribution distribution) {
    State now = state.get();
    distribution.clear(LogBuckets.NARROW);
    for (Distributed member : now.members) {
      member.addTo(distribution);
    }
    distribution.addSums(now.keptCount, now.keptTotal, 0);
  }
}
