package org.fastpath.bench.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fastpath.bench.results.Measurement;
import org.fastpath.bench.results.Results;
import org.fastpath.bench.results.Series;

/** Lines over the number of client threads, of what was measured with several numbers of them. */
final class ThreadCharts {
  /** The parameter that the lines run over. */
  static final String THREADS = "threads";

  private ThreadCharts() {}

  /**
   * A line for each side.
   *
   * @param params those of measurements that are shown; what they are is in the chart's name
   */
  static List<Series> lines(Results results, String name, String unit, Map<String, String> params) {
    Map<String, TreeMap<Double, Double>> sides = new LinkedHashMap<>();
    for (Measurement measurement : results.measurements()) {
      if (measurement.name().equals(name)
          && measurement.params().entrySet().containsAll(params.entrySet())) {
        sides
            .computeIfAbsent(measurement.side(), any -> new TreeMap<>())
            .put(Double.valueOf(measurement.params().get(THREADS)), measurement.median());
      }
    }
    List<Series> series = new ArrayList<>();
    sides.forEach(
        (side, points) ->
            series.add(
                new Series(
                    chart(name, params),
                    side,
                    "client threads",
                    unit,
                    List.copyOf(points.keySet()),
                    List.copyOf(points.values()))));
    return series;
  }

  private static String chart(String name, Map<String, String> params) {
    StringBuilder chart = new StringBuilder(name);
    params.forEach((param, value) -> chart.append(", ").append(value).append(' ').append(param));
    return chart.append(", by client threads").toString();
  }
}
