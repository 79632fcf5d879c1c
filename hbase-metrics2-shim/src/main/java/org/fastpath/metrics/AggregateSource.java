package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source of things that come and go: regions, tables, volumes. Each of them is a pseudo-source
 * with the same metrics and its own tag values. A snapshot has one record for each pseudo-source,
 * in the order of the tags.
 *
 * <p>Joining, leaving and snapshots need no lock.
 */
public final class AggregateSource extends NamedSource implements Registration {
  private static final Logger LOG = LoggerFactory.getLogger(AggregateSource.class);
  private static final String SEPARATOR = "\u0000";

  private final ConcurrentNavigableMap<String, Member> members = new ConcurrentSkipListMap<>();
  private final AtomicBoolean failureLogged = new AtomicBoolean();
  private volatile Runnable beforeSnapshot = () -> {};

  private record Member(List<String> values, MetricSet metrics) {}

  AggregateSource(String name, String description, List<String> tags) {
    super(name, description, tags, new Definitions());
  }

  /**
   * Begins a pseudo-source.
   *
   * @param values of the tags, in their order; no other registered pseudo-source has the same
   *     values
   */
  public SourceBuilder pseudoSource(String... values) {
    List<String> list = Arrays.asList(values.clone());
    return new SourceBuilder(name(), definitions, true, tags(), metrics -> join(list, metrics));
  }

  private Registration join(List<String> values, MetricSet metrics) {
    Member member = new Member(values, metrics);
    String key = String.join(SEPARATOR, values);
    String wrong = null;
    if (values.size() != tags().size() || values.contains(null)) {
      wrong = "it needs a value for each of the tags " + tags();
    } else if (members.putIfAbsent(key, member) != null) {
      wrong = "there is one already";
    }
    if (wrong != null) {
      Metrics.error("pseudo-source " + name() + values + " is not shown: " + wrong);
      return NoOp.REGISTRATION;
    }
    return () -> members.remove(key, member);
  }

  /**
   * Sets the work that runs before every snapshot, on the thread that takes it. It must be quick.
   */
  public void beforeSnapshot(Runnable work) {
    beforeSnapshot = work;
  }

  /** Runs the work. If it fails, the snapshot goes on and the next one tries again. */
  private void prepare() {
    try {
      beforeSnapshot.run();
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      log(e);
    }
  }

  private void log(Throwable failure) {
    try {
      if (failureLogged.compareAndSet(false, true)) {
        LOG.warn(
            "Metrics: the work of {} before a snapshot failed; the snapshot shows earlier values."
                + " Each snapshot tries again; further failures are logged at level DEBUG",
            name(),
            failure);
      } else {
        LOG.debug("Metrics: the work of {} before a snapshot failed", name(), failure);
      }
    } catch (OutOfMemoryError e) {
      // There is no memory for the log either.
    }
  }

  /** Returns how many pseudo-sources there are. */
  public int size() {
    return members.size();
  }

  @Override
  public void snapshot(RecordSink sink) {
    prepare();
    List<Member> present = new ArrayList<>(members.values());
    List<Gauge> gauges = new ArrayList<>();
    for (Member member : present) {
      gauges.addAll(member.metrics.gauges());
    }
    GaugeReader.Answers answers = GaugeReader.ask(gauges);
    Distribution distribution = new Distribution();
    int firstGauge = 0;
    for (Member member : present) {
      sink.record(tags(), member.values);
      member.metrics.give(sink, answers, firstGauge, distribution);
      firstGauge += member.metrics.gauges().size();
    }
    int passed = minutesPassed();
    if (passed > 0) {
      present.forEach(member -> member.metrics.halve(passed));
    }
  }

  /** Removes the source with all pseudo-sources. */
  @Override
  public void close() {
    Metrics.withdraw(this);
  }
}
