package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** A line of a chart: a value over time or another number. Series with one name share a chart. */
public record Series(
    String name,
    @JsonProperty("side") String variant,
    String xUnit,
    String unit,
    List<Double> x,
    List<Double> y) {
  /** Copies its lists; refuses lists of different lengths and an empty line. */
  public Series {
    x = List.copyOf(x);
    y = List.copyOf(y);
    if (x.size() != y.size() || x.isEmpty()) {
      throw new IllegalArgumentException(
          name + " on side " + variant + " has " + x.size() + " x and " + y.size() + " y");
    }
  }
}
