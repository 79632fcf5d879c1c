package org.fastpath.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.fastpath.cluster.Unloggable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A mistake at registration is logged clearly and costs only the wrong metric. The rest of the
 * source works, and no caller gets an exception.
 */
class RegistrationTest {
  private static final String TEXT = "Of a test";

  @TempDir private Path directory;

  /** Messages, then the records that are shown. */
  private <T> T call(Class<? extends Callable<T>> scenario) throws Exception {
    String publisher = PublishersTest.Good.class.getName();
    return IsolatedMetrics.call(directory, scenario, List.of(publisher));
  }

  /** Makes mistakes in a source that has a good counter, and gives the messages and the records. */
  private static List<Object> source(Consumer<SourceBuilder> mistakes) {
    SourceBuilder builder = Metrics.source("Tested", TEXT);
    builder.counter("goodCount", TEXT).increment();
    mistakes.accept(builder);
    builder.register();
    List<Object> seen = new ArrayList<>(Metrics.errors());
    Metrics.sources().stream()
        .filter(source -> source.name().equals("Tested"))
        .forEach(source -> seen.addAll(Snapshot.of(source)));
    return seen;
  }

  private static String refused(String metric, String why) {
    return "metric Tested." + metric + " is not shown: " + why;
  }

  private static final Map<String, Object> ONLY_THE_GOOD_ONE = Map.of("goodCount", 1L);
  private static final String NOT_CAMEL_CASE = "its name is not in camel case (verifiedBytes)";
  private static final String NO_UNIT =
      "its name does not end with its unit: Count, Bytes, Nanos, Millis are";

  /** Every rule for the names of metrics. */
  public static final class BadNames implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      return source(
          builder -> {
            builder.counter(null, TEXT).increment();
            builder.counter("", TEXT).increment();
            builder.counter("HitCount", TEXT).increment();
            builder.counter("hit_Count", TEXT).increment();
            builder.counter("1hitCount", TEXT, () -> 1);
            builder.counter("hits", TEXT).increment();
            builder.counter("hitcount", TEXT).increment();
            builder.gauge("size", TEXT, () -> 1);
            builder.histogram("get_", Unit.NANOS, TEXT).record(1);
            builder.histogram(null, Unit.NANOS, TEXT).record(1);
            builder.histogram("get", null, TEXT).record(1);
            builder.text("Mode", TEXT, () -> "");
            builder.text("hostname", TEXT, () -> "");
          });
    }
  }

  @Test
  void namesAgainstTheRules() throws Exception {
    assertThat(call(BadNames.class))
        .containsExactly(
            refused(null, NOT_CAMEL_CASE),
            refused("", NOT_CAMEL_CASE),
            refused("HitCount", NOT_CAMEL_CASE),
            refused("hit_Count", NOT_CAMEL_CASE),
            refused("1hitCount", NOT_CAMEL_CASE),
            refused("hits", NO_UNIT),
            refused("hitcount", NO_UNIT),
            refused("size", NO_UNIT),
            refused("get_", NOT_CAMEL_CASE),
            refused(null, NOT_CAMEL_CASE),
            refused("get", "its unit is null"),
            refused("Mode", NOT_CAMEL_CASE),
            refused("hostname", "Hadoop has a tag of that name in every record"),
            ONLY_THE_GOOD_ONE);
  }

  /** Names that are taken, also by a figure of a histogram. */
  public static final class Duplicates implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      List<Object> seen =
          source(
              builder -> {
                builder.counter("goodCount", TEXT).add(100);
                builder.gauge("goodCount", TEXT, () -> 100);
                builder.histogram("good", Unit.COUNT, TEXT);
                builder.histogram("get", Unit.NANOS, TEXT);
                builder.histogram("get", Unit.BYTES, TEXT);
                builder.gauge("getP99Nanos", TEXT, () -> 1);
                builder.counter("putMaxNanos", TEXT, () -> 1);
                builder.histogram("put", Unit.NANOS, TEXT, new HistogramRollUp());
              });
      Map<?, ?> record = (Map<?, ?>) seen.remove(seen.size() - 1);
      seen.add(record.size());
      return seen;
    }
  }

  @Test
  void namesThatAreTaken() throws Exception {
    int good = 1;
    int get = 11;
    int putMax = 1;
    assertThat(call(Duplicates.class))
        .containsExactly(
            refused("goodCount", "there is one of the name goodCount"),
            refused("goodCount", "there is one of the name goodCount"),
            refused("good", "there is one of the name goodCount"),
            refused("get", "there is one of the name getCount"),
            refused("getP99Nanos", "there is one of the name getP99Nanos"),
            refused("put", "there is one of the name putMaxNanos"),
            good + get + putMax);
  }

  /** Registers nulls. */
  public static final class Nulls implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      return source(
          builder -> {
            builder.gauge("sizeBytes", TEXT, null);
            builder.counter("hitCount", TEXT, null);
            builder.text("mode", TEXT, null);
            builder.histogram("get", Unit.NANOS, TEXT, null);
            builder.counter("missCount", null).increment();
            builder.gauge("usedBytes", null, () -> 1);
            builder.histogram("put", Unit.NANOS, null).record(1);
          });
    }
  }

  @Test
  void nulls() throws Exception {
    assertThat(call(Nulls.class))
        .containsExactly(
            refused("sizeBytes", "its gauge is null"),
            refused("hitCount", "its gauge is null"),
            refused("mode", "its gauge is null"),
            refused("get", "its histogram is null"),
            refused("missCount", "it has no description"),
            refused("usedBytes", "it has no description"),
            refused("put", "it has no description"),
            ONLY_THE_GOOD_ONE);
  }

  /** Sources that cannot be shown, and the number of errors that is. */
  public static final class BadSources implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      Metrics.source("blockCache", TEXT).register();
      Metrics.source("Block_Cache", TEXT).register();
      Metrics.source(null, TEXT).register();
      Metrics.source("Undescribed", null).register();
      Registration first = Metrics.source("Twice", TEXT).register();
      Registration second = Metrics.source("Twice", TEXT).register();
      second.close();
      Metrics.aggregate("Twice", TEXT, "thing").close();
      Metrics.aggregate("Regions", TEXT, "Region");
      Metrics.aggregate("Regions", TEXT, "region", "region");
      Metrics.aggregate("Regions", TEXT, "region", null);
      Metrics.aggregate("Regions", TEXT, "hostname");
      List<Object> seen = new ArrayList<>(Metrics.errors());
      seen.add(Metrics.sources().stream().map(PublishedSource::name).sorted().toList());
      Map<String, Object> own = new HashMap<>();
      Metrics.sources().stream()
          .filter(source -> source.name().equals("FastpathMetrics"))
          .forEach(source -> own.putAll(Snapshot.of(source).get(0)));
      seen.add(own);
      first.close();
      Metrics.source("Twice", TEXT).register();
      seen.add(Metrics.sources().size());
      return seen;
    }
  }

  @Test
  void sourcesThatCannotBeShown() throws Exception {
    String notCamelCase = "its name is not in camel case with a capital first (BlockCache)";
    assertThat(call(BadSources.class))
        .containsExactly(
            "source blockCache is not shown: " + notCamelCase,
            "source Block_Cache is not shown: " + notCamelCase,
            "source null is not shown: " + notCamelCase,
            "source Undescribed is not shown: it has no description",
            "source Twice is not shown: there is one of that name",
            "source Twice is not shown: there is one of that name",
            "source Regions is not shown: tag Region: " + NOT_CAMEL_CASE,
            "source Regions is not shown: tag region: there is one of that name",
            "source Regions is not shown: tag null: " + NOT_CAMEL_CASE,
            "source Regions is not shown: tag hostname: Hadoop has a tag of that name in every"
                + " record",
            List.of("FastpathMetrics", "Twice"),
            Map.of(
                "registrationErrorCount", 10L,
                "sourceCount", 2L,
                "slowGaugeCount", 0L,
                "failedGaugeCount", 0L),
            2);
  }

  /** Pseudo-sources that cannot be shown, beside one that is. */
  public static final class BadPseudoSources implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      AggregateSource tested = Metrics.aggregate("Tested", TEXT, "table", "region");
      tested.beforeSnapshot(
          () -> {
            throw new IllegalStateException("thrown by the test");
          });
      join(tested, "t", "a");
      join(tested, "t", "a");
      join(tested, "t");
      join(tested, "t", null);
      SourceBuilder other = tested.pseudoSource("t", "b");
      other.text("goodCount", TEXT, () -> "words");
      other.text("region", TEXT, () -> "words");
      Registration registration = other.register();
      List<Object> seen = new ArrayList<>(Metrics.errors());
      seen.addAll(Snapshot.of(tested));
      registration.close();
      registration.close();
      join(tested, "t", "b");
      seen.addAll(Snapshot.of(tested));
      return seen;
    }

    private static void join(AggregateSource source, String... values) {
      SourceBuilder builder = source.pseudoSource(values);
      builder.counter("goodCount", TEXT).increment();
      builder.register();
    }
  }

  /** Work before a snapshot that fails twice, first without memory. */
  public static final class WorkThatFailsTwice implements Callable<List<Object>> {
    @Override
    public List<Object> call() {
      AggregateSource tested = Metrics.aggregate("Worked", TEXT, "table");
      int[] calls = {0};
      tested.beforeSnapshot(
          () -> {
            calls[0]++;
            if (calls[0] == 1) {
              throw new Unloggable();
            }
            if (calls[0] == 2) {
              throw new IllegalStateException("thrown by the test");
            }
          });
      for (int i = 0; i < 3; i++) {
        Snapshot.of(tested);
      }
      return List.of(calls[0]);
    }
  }

  @Test
  void workThatFailedIsTriedAgain() throws Exception {
    assertThat(call(WorkThatFailsTwice.class)).containsExactly(3);
  }

  @Test
  void pseudoSourcesThatCannotBeShown() throws Exception {
    Map<String, Object> good = Map.of("table", "t", "region", "a", "goodCount", 1L);
    try (LogCapture log = new LogCapture()) {
      assertThat(call(BadPseudoSources.class))
          .containsExactly(
              "pseudo-source Tested[t, a] is not shown: there is one already",
              "pseudo-source Tested[t] is not shown: it needs a value for each of the tags [table,"
                  + " region]",
              "pseudo-source Tested[t, null] is not shown: it needs a value for each of the tags"
                  + " [table, region]",
              refused("goodCount", "it is a COUNTER in another pseudo-source"),
              refused("region", "there is one of the name region"),
              good,
              Map.of("table", "t", "region", "b"),
              good,
              Map.of("table", "t", "region", "b", "goodCount", 1L));
      assertThat(log.lines().stream().filter(line -> line.startsWith("WARN")))
          .hasSize(1)
          .allMatch(line -> line.contains("work of Tested before a snapshot failed"));
    }
  }
}
