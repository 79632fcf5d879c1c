package org.fastpath.metrics;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the metrics of a module, once, when it starts.
 *
 * <pre>{@code
 * SourceBuilder builder = Metrics.source("BlockCache", "The off-heap block cache");
 * Counter hits = builder.counter("hitCount", "Blocks found in the cache");
 * builder.gauge("sizeBytes", "Memory of the cached blocks", cache::size);
 * builder.register();
 * ...
 * hits.increment();
 * }</pre>
 *
 * <p>The first {@link MetricsPublisher} that this class's loader finds shows the sources. Without
 * one, counters and histograms do nothing.
 */
public final class Metrics {
  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);
  private static final int MAX_ERRORS = 100;

  private static final MetricsPublisher PUBLISHER =
      Publishers.find(MetricsPublisher.class, Metrics.class.getClassLoader());
  private static final Map<String, PublishedSource> SOURCES = new ConcurrentHashMap<>();
  private static final Queue<String> ERRORS = new ConcurrentLinkedQueue<>();
  private static final Counter ERROR_COUNT;

  static {
    SourceBuilder builder = source("FastpathMetrics", "The metrics of hbase-fastpath themselves");
    ERROR_COUNT = builder.counter("registrationErrorCount", "Metrics and sources not shown");
    builder.gauge("sourceCount", "Sources that are shown", SOURCES::size);
    builder.counter("slowGaugeCount", "Gauges left out: slow", GaugeReader.SLOW::sum);
    builder.counter("failedGaugeCount", "Gauges left out: threw", GaugeReader.FAILED::sum);
    builder.register();
  }

  private Metrics() {}

  /**
   * Begins a source.
   *
   * @param name in camel case with a capital first; unique in the process
   * @param description one line for an operator
   */
  public static SourceBuilder source(String name, String description) {
    Definitions definitions = new Definitions();
    return new SourceBuilder(
        name,
        definitions,
        false,
        List.of(),
        metrics -> publish(new Source(name, description, definitions, metrics)));
  }

  /**
   * Registers a source of things that come and go, and returns it.
   *
   * @param tags names of the tags that distinguish its pseudo-sources, in camel case
   */
  public static AggregateSource aggregate(String name, String description, String... tags) {
    AggregateSource aggregate = new AggregateSource(name, description, Arrays.asList(tags.clone()));
    Set<String> names = new HashSet<>();
    for (String tag : tags) {
      String wrong = MetricNames.wrongWord(tag);
      if (wrong == null && !names.add(tag)) {
        wrong = "there is one of that name";
      }
      if (wrong != null) {
        error("source " + name + " is not shown: tag " + tag + ": " + wrong);
        return aggregate;
      }
    }
    publish(aggregate);
    return aggregate;
  }

  /** Returns the errors of registrations, at most the first hundred. */
  public static List<String> errors() {
    return List.copyOf(ERRORS);
  }

  /** Returns the sources that are shown, for documentation and tests. */
  public static List<PublishedSource> sources() {
    return List.copyOf(SOURCES.values());
  }

  static boolean off() {
    return PUBLISHER == null;
  }

  static void error(String message) {
    try {
      LOG.error("Metrics: {}", message);
    } catch (OutOfMemoryError e) {
      // There is no memory for the log; the error is counted.
    }
    if (ERRORS.size() < MAX_ERRORS) {
      ERRORS.add(message);
    }
    if (ERROR_COUNT != null) {
      ERROR_COUNT.increment();
    }
  }

  private static Registration publish(PublishedSource source) {
    if (off()) {
      return NoOp.REGISTRATION;
    }
    String wrong = MetricNames.wrongSource(source.name());
    if (wrong == null && source.description() == null) {
      wrong = "it has no description";
    }
    if (wrong == null && SOURCES.putIfAbsent(source.name(), source) != null) {
      wrong = "there is one of that name";
    }
    if (wrong != null) {
      error("source " + source.name() + " is not shown: " + wrong);
      return NoOp.REGISTRATION;
    }
    try {
      PUBLISHER.publish(source);
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      notShown(source, e.toString());
      return NoOp.REGISTRATION;
    }
    return () -> withdraw(source);
  }

  static void notShown(PublishedSource source, String why) {
    SOURCES.remove(source.name(), source);
    error("source " + source.name() + " is not shown: " + why);
  }

  static void withdraw(PublishedSource source) {
    if (SOURCES.remove(source.name(), source)) {
      try {
        PUBLISHER.withdraw(source);
      } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
        LOG.warn("Metrics: source {} is still shown", source.name(), e);
      }
    }
  }
}
