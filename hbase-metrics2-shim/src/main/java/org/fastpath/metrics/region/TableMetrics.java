package org.fastpath.metrics.region;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.HistogramRollUp;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/**
 * The sum over the regions of a table that are, or were, open here. The counts of a region stay
 * when it leaves. So no split, merge or move decreases a table's counters.
 *
 * <p>Regions join and leave on one thread at a time. A snapshot needs no lock: the state is
 * replaced as a whole and counts each region exactly once.
 */
final class TableMetrics {
  private final TableName name;
  private volatile State state = new State(List.of(), new long[RegionCount.values().length]);
  private final Map<TimedOperation, HistogramRollUp> rollUps = new EnumMap<>(TimedOperation.class);
  private Registration registration = () -> {};
  private long emptySince;

  private record State(List<OpenRegion> regions, long[] left) {
    State with(OpenRegion region) {
      List<OpenRegion> more = new ArrayList<>(regions);
      more.add(region);
      return new State(more, left);
    }

    State without(OpenRegion region) {
      List<OpenRegion> fewer = new ArrayList<>(regions);
      fewer.remove(region);
      long[] leftNow = left.clone();
      for (RegionCount count : RegionCount.values()) {
        leftNow[count.ordinal()] += region.sinceOpen(count);
      }
      return new State(fewer, leftNow);
    }

    long sum(RegionCount count) {
      long sum = left[count.ordinal()];
      for (OpenRegion region : regions) {
        sum += region.sinceOpen(count);
      }
      return sum;
    }
  }

  TableMetrics(TableName name) {
    this.name = name;
    for (TimedOperation operation : TimedOperation.values()) {
      rollUps.put(operation, new HistogramRollUp());
    }
  }

  /** Returns whether no region of it is open here. */
  boolean isEmpty() {
    return state.regions.isEmpty();
  }

  /** Returns the time when its last region left, if it {@link #isEmpty()}. */
  long emptySince() {
    return emptySince;
  }

  /** Adds a region. The first one makes the table visible. */
  void add(OpenRegion region, AggregateSource source) {
    boolean first = isEmpty();
    state = state.with(region);
    if (first) {
      registration = show(source);
    }
  }

  /** Removes a closed region and keeps its counts. The last one hides the table. */
  void remove(OpenRegion region, long now) {
    state = state.without(region);
    if (isEmpty()) {
      emptySince = now;
      registration.close();
    }
  }

  void add(RegionHistograms histograms) {
    rollUps.forEach((operation, rollUp) -> rollUp.add(histograms.of(operation)));
  }

  void remove(RegionHistograms histograms) {
    rollUps.forEach((operation, rollUp) -> rollUp.remove(histograms.of(operation)));
  }

  private Registration show(AggregateSource source) {
    SourceBuilder builder =
        source.pseudoSource(name.getNamespaceAsString(), name.getQualifierAsString());
    builder.gauge("regionCount", "Regions open here", () -> state.regions.size());
    for (RegionCount count : RegionCount.values()) {
      builder.counter(count.metric(), count.description(), () -> state.sum(count));
    }
    rollUps.forEach(
        (operation, rollUp) ->
            builder.histogram(operation.metric(), Unit.NANOS, operation.description(), rollUp));
    return builder.register();
  }
}
