package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * The raw results of one invocation, from which the report and the tables are drawn. JMH suites and
 * cluster workloads write the same format.
 *
 * @param candidate the variant that the report compares with every other variant; empty for none
 * @param descriptions of variants by their names, of rivals by the names of their measurements
 * @param rivals by the name of a measurement, the names of others that do the same work
 * @param topics the modules that the measurements are about; older files have none
 */
public record Results(
    String title,
    Environment environment,
    String candidate,
    Map<String, String> descriptions,
    Map<String, List<String>> rivals,
    List<Measurement> measurements,
    List<Series> series,
    List<FlameGraph> flameGraphs,
    List<Topic> topics) {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  public Results {
    descriptions = Collections.unmodifiableMap(new LinkedHashMap<>(descriptions));
    rivals = Collections.unmodifiableMap(new LinkedHashMap<>(rivals));
    measurements = List.copyOf(measurements);
    series = List.copyOf(series);
    flameGraphs = List.copyOf(flameGraphs);
    topics = topics == null ? List.of() : List.copyOf(topics);
  }

  public static Results read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), Results.class);
  }

  /** Writes a results file, and creates its directory if necessary. */
  public void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    JSON.writeValue(file.toFile(), this);
  }

  /** Returns the measurement of this name on this variant; the first one if its parameters vary. */
  public Optional<Measurement> find(String name, String variant) {
    return find(name, variant, Map.of());
  }

  /** Returns the first measurement of this name on this variant with these parameters. */
  public Optional<Measurement> find(String name, String variant, Map<String, String> params) {
    return measurements.stream()
        .filter(m -> m.name().equals(name) && m.variant().equals(variant))
        .filter(m -> m.params().entrySet().containsAll(params.entrySet()))
        .findFirst();
  }

  public static Builder builder(String title, Environment environment) {
    return new Builder(title, environment);
  }

  /** Collects samples in their order. Not thread-safe. */
  public static final class Builder {
    private final String title;
    private final Environment environment;
    private String candidate = "";
    private final Map<String, String> descriptions = new LinkedHashMap<>();
    private final Map<String, List<String>> rivals = new LinkedHashMap<>();
    private final Map<Key, List<List<Double>>> samples = new LinkedHashMap<>();
    private final Map<Key, Measurement.Better> directions = new LinkedHashMap<>();
    private final List<Series> series = new ArrayList<>();
    private final List<FlameGraph> flameGraphs = new ArrayList<>();
    private final List<Topic> topics = new ArrayList<>();

    private record Key(String name, Map<String, String> params, String variant, String unit) {}

    private Builder(String title, Environment environment) {
      this.title = title;
      this.environment = environment;
    }

    public Builder candidate(String variant) {
      candidate = variant;
      return this;
    }

    public Builder describe(String variantOrRival, String text) {
      descriptions.put(variantOrRival, text);
      return this;
    }

    /** Declares other measurements that do the same work as this one. */
    public Builder rivals(String name, List<String> others) {
      rivals.put(name, List.copyOf(others));
      return this;
    }

    /** Adds the next round of a measurement: its only value, or its raw samples. */
    public Builder round(
        String name, Map<String, String> params, String variant, String unit, double... values) {
      List<Double> round = DoubleStream.of(values).boxed().toList();
      Key key = new Key(name, new LinkedHashMap<>(params), variant, unit);
      samples.computeIfAbsent(key, any -> new ArrayList<>()).add(round);
      directions.putIfAbsent(key, Measurement.Better.of(unit));
      return this;
    }

    /** Overrides the good direction if the unit does not tell, like the % of a hit ratio. */
    public Builder better(String name, Measurement.Better better) {
      directions.replaceAll((key, old) -> key.name().equals(name) ? better : old);
      return this;
    }

    public Builder series(Series line) {
      series.add(line);
      return this;
    }

    /** Adds a flame graph, which replaces one of an earlier round with the same file. */
    public Builder flameGraph(FlameGraph graph) {
      flameGraphs.remove(graph);
      flameGraphs.add(graph);
      return this;
    }

    public Builder topic(Topic topic) {
      topics.add(topic);
      return this;
    }

    public Results build() {
      List<Measurement> measurements = new ArrayList<>();
      samples.forEach(
          (key, rounds) ->
              measurements.add(
                  new Measurement(
                      key.name, key.params, key.variant, key.unit, directions.get(key), rounds)));
      return new Results(
          title,
          environment,
          candidate,
          descriptions,
          rivals,
          measurements,
          series,
          flameGraphs,
          topics);
    }
  }
}
