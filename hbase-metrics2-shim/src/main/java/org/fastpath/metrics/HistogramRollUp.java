package org.fastpath.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The sum of the histograms of some pseudo-sources, computed when somebody looks: a table's over
 * those of its regions. What a member counted stays in the sum when the member leaves.
 *
 * <p>Members join and leave from any thread, without a lock: the state is replaced as a whole, so
 * that a snapshot sees a member either as a member or as part of what is kept.
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

  /** Counts a histogram of a pseudo-source in. */
  public void add(Histogram member) {
    if (member instanceof CompactHistogram compact) {
      state.updateAndGet(old -> old.with(compact));
    }
  }

  /** The histogram gets no more values: keeps its number and total, forgets its distribution. */
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
