package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the choice of a publisher if one is missing, broken, or not the only one. */
class PublishersTest {
  @TempDir private Path directory;

  /** Records the calls of the publishers of one loader. */
  public static final class Trace {
    static final List<String> EVENTS = new CopyOnWriteArrayList<>();

    private Trace() {}
  }

  /** Records its calls. */
  public static class Good implements MetricsPublisher {
    @Override
    public void publish(PublishedSource source) {
      Trace.EVENTS.add("publish " + source.name());
    }

    @Override
    public void withdraw(PublishedSource source) {
      Trace.EVENTS.add("withdraw " + source.name());
    }
  }

  /** Leaves a trace when its class is initialized. */
  public static final class Loser extends Good {
    static {
      Trace.EVENTS.add("loser initialized");
    }
  }

  /** Cannot be instantiated. */
  public static final class Throwing extends Good {
    /** Never ends well. */
    public Throwing() {
      throw new IllegalStateException("thrown by the test");
    }
  }

  /** Its class cannot be initialized. */
  public static final class Uninitializable extends Good {
    static {
      Trace.EVENTS.add("tried");
      if (!Trace.EVENTS.isEmpty()) {
        throw new IllegalStateException("thrown by the test");
      }
    }
  }

  /** Can be instantiated, and that is all. */
  public static final class Unwilling implements MetricsPublisher {
    @Override
    public void publish(PublishedSource source) {
      if (source.name().startsWith("Second")) {
        throw new NoClassDefFoundError("thrown by the test");
      }
      throw new IllegalStateException("thrown by the test");
    }

    @Override
    public void withdraw(PublishedSource source) {
      throw new IllegalStateException("thrown by the test");
    }
  }

  /** Cannot start the thread that it needs. */
  public static final class Exhausted implements MetricsPublisher {
    @Override
    public void publish(PublishedSource source) {
      throw new OutOfMemoryError("thrown by the test");
    }

    @Override
    public void withdraw(PublishedSource source) {
      throw new OutOfMemoryError("thrown by the test");
    }
  }

  /** Registers, updates and withdraws, as a module does. */
  public static final class Module implements Callable<List<String>> {
    @Override
    public List<String> call() {
      SourceBuilder builder = Metrics.source("First", "Of a test");
      Counter counter = builder.counter("someCount", "Of a test");
      Histogram histogram = builder.histogram("wait", Unit.NANOS, "Of a test");
      builder.gauge("sizeBytes", "Of a test", () -> 1);
      builder.text("mode", "Of a test", () -> "on");
      Registration registration = builder.register();
      AggregateSource aggregate = Metrics.aggregate("Second", "Of a test", "thing");
      Registration member = aggregate.pseudoSource("first").register();
      counter.increment();
      histogram.record(5);
      List<String> seen = new ArrayList<>();
      seen.add("count " + counter.sum() + " " + histogram.count() + " " + histogram.total());
      seen.add(
          "sources " + Metrics.sources().stream().map(PublishedSource::name).sorted().toList());
      seen.add("members " + aggregate.size());
      member.close();
      aggregate.close();
      registration.close();
      registration.close();
      seen.addAll(Metrics.errors());
      seen.addAll(Trace.EVENTS);
      return seen;
    }
  }

  private static final List<String> SHOWN =
      List.of(
          "count 1 1 5",
          "sources [FastpathMetrics, First, Second]",
          "members 1",
          "publish FastpathMetrics",
          "publish First",
          "publish Second",
          "withdraw Second",
          "withdraw First");

  private List<String> module(String... publishers) throws Exception {
    return IsolatedMetrics.call(directory, Module.class, List.of(publishers));
  }

  private static String name(Class<?> publisher) {
    return publisher.getName();
  }

  @Test
  void one() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Good.class))).isEqualTo(SHOWN);
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void noneMeansThatNothingIsCounted() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module()).containsExactly("count 0 0 0", "sources []", "members 0");
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void ofTwoTheFirstWinsAndTheLoserIsNotInitialized() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Good.class), name(Loser.class))).isEqualTo(SHOWN);
      assertThat(log.lines())
          .containsExactly(
              "WARN Metrics: "
                  + name(Good.class)
                  + " is used, and not ["
                  + name(Loser.class)
                  + "]: the first on the classpath wins");
    }
    assertThat(module(name(Loser.class), name(Good.class))).contains("loser initialized");
  }

  @Test
  void oneThatThrowsIsPassedOver() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Throwing.class), name(Good.class))).isEqualTo(SHOWN);
      assertPassedOver(log, name(Throwing.class));
    }
  }

  @Test
  void oneWhoseClassCannotBeInitializedIsPassedOver() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Uninitializable.class), name(Good.class))).containsAll(SHOWN);
      assertPassedOver(log, name(Uninitializable.class));
    }
  }

  @Test
  void oneThatIsMissingIsPassedOver() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module("org.fastpath.metrics.NoSuch", name(Good.class))).isEqualTo(SHOWN);
      assertPassedOver(log, "org.fastpath.metrics.NoSuch");
    }
  }

  @Test
  void oneThatIsNoneIsPassedOver() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Trace.class), name(Good.class))).isEqualTo(SHOWN);
      assertPassedOver(log, name(Trace.class));
    }
  }

  @Test
  void onlyBrokenOnesAreAsNone() throws Exception {
    assertThat(module(name(Throwing.class), "org.fastpath.metrics.NoSuch"))
        .containsExactly("count 0 0 0", "sources []", "members 0");
  }

  @Test
  void oneThatCannotShowSourcesDoesNotHinderTheModule() throws Exception {
    try (LogCapture log = new LogCapture()) {
      assertThat(module(name(Unwilling.class)))
          .containsExactly(
              "count 1 1 5",
              "sources []",
              "members 1",
              "source FastpathMetrics is not shown: java.lang.IllegalStateException: thrown by the"
                  + " test",
              "source First is not shown: java.lang.IllegalStateException: thrown by the test",
              "source Second is not shown: java.lang.NoClassDefFoundError: thrown by the test");
      assertThat(log.lines()).hasSize(3).allMatch(line -> line.startsWith("ERROR Metrics: source"));
    }
  }

  @Test
  void oneWithoutMemoryDoesNotHinderTheModule() throws Exception {
    assertThat(module(name(Exhausted.class)))
        .startsWith("count 1 1 5", "sources []", "members 1")
        .endsWith("source Second is not shown: java.lang.OutOfMemoryError: thrown by the test");
  }

  private static void assertPassedOver(LogCapture log, String publisher) {
    assertThat(log.lines())
        .hasSize(1)
        .allMatch(
            line -> line.startsWith("ERROR Metrics: a MetricsPublisher on the classpath cannot"))
        .allMatch(line -> line.contains(publisher));
  }
}
