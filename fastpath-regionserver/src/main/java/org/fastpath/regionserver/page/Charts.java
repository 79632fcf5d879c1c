package org.fastpath.regionserver.page;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The charts of the page, from the samples of the last hour. */
final class Charts {
  private static final double MILLIS = 1000;

  private final List<Sample> samples;
  private final long now;

  Charts(List<Sample> samples, long now) {
    this.samples = samples;
    this.now = now;
  }

  void write(Html html) {
    html.markup("<div class=\"grid-2\">");
    writeHits(html);
    writeTables(html);
    writeMemory(html);
    writeBlocked(html);
    html.markup("</div>\n");
  }

  private void writeHits(Html html) {
    chart("Hit ratio", samples, false)
        .add("off-heap cache", ratios(Sample::cacheHits, Sample::cacheMisses))
        .add("all block caches", ratios(Sample::allHits, Sample::allMisses))
        .write(html, Scale.percent());
  }

  /** Writes the shares of the cache. Tables beyond the number of colours are one area. */
  private void writeTables(Html html) {
    List<Sample> cached = samples.stream().filter(one -> one.cacheHits() >= 0).toList();
    List<String> names = new ArrayList<>(names(cached));
    Chart chart = chart("Off-heap cache by table", cached, true);
    List<String> named = names.subList(0, Math.min(names.size(), Chart.COLOURS - 1));
    for (String name : named) {
      chart.add(name, values(cached, one -> one.tableBytes().getOrDefault(name, 0L)));
    }
    if (names.size() > named.size()) {
      chart.add("others", values(cached, one -> others(one, named)), Chart.COLOURS - 1);
    }
    chart.write(html, Scale.bytes(chart.greatest()));
  }

  /** Returns the names, those of the last sample first, which are sorted by size. */
  private static Set<String> names(List<Sample> samples) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = samples.size() - 1; i >= 0; i--) {
      names.addAll(samples.get(i).tableBytes().keySet());
    }
    names.remove(Sample.OTHERS);
    boolean more = samples.stream().anyMatch(one -> one.tableBytes().containsKey(Sample.OTHERS));
    if (more) {
      names.add(Sample.OTHERS);
    }
    return names;
  }

  private static double others(Sample sample, List<String> named) {
    return sample.tableBytes().entrySet().stream()
        .filter(table -> !named.contains(table.getKey()))
        .mapToDouble(table -> table.getValue())
        .sum();
  }

  private void writeMemory(Html html) {
    Chart chart =
        chart("Memory of DataNodes", samples, false)
            .add("asked for by pins", values(samples, present(Sample::pinnedBytes)))
            .add("locked for them", values(samples, present(Sample::lockedBytes)))
            .add("mapped here", values(samples, present(Sample::mappedBytes)));
    chart.write(html, Scale.bytes(chart.greatest()));
  }

  private void writeBlocked(Html html) {
    Chart chart =
        chart("Writes held up, a second", samples, false)
            .add("milliseconds of handlers", rates(Sample::blockedMillis))
            .add("requests refused", rates(Sample::blockedRequests));
    chart.write(html, Scale.count(chart.greatest(), ""));
  }

  private Chart chart(String title, List<Sample> shown, boolean stacked) {
    return new Chart(title, stacked, shown.stream().mapToLong(Sample::millis).toArray(), now);
  }

  private static double[] values(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return samples.stream().mapToDouble(value).toArray();
  }

  private static ToDoubleFunction<Sample> present(ToLongFunction<Sample> value) {
    return sample -> value.applyAsLong(sample) < 0 ? Double.NaN : value.applyAsLong(sample);
  }

  /** Returns the percentage of hits in each interval between two samples; a gap without reads. */
  private double[] ratios(ToLongFunction<Sample> hits, ToLongFunction<Sample> misses) {
    double[] hitsSince = differences(hits);
    double[] missesSince = differences(misses);
    double[] ratios = new double[samples.size()];
    for (int i = 0; i < ratios.length; i++) {
      double all = hitsSince[i] + missesSince[i];
      ratios[i] = all > 0 ? 100 * hitsSince[i] / all : Double.NaN;
    }
    return ratios;
  }

  private double[] rates(ToLongFunction<Sample> counter) {
    double[] rates = differences(counter);
    for (int i = 1; i < rates.length; i++) {
      double seconds = (samples.get(i).millis() - samples.get(i - 1).millis()) / MILLIS;
      rates[i] = seconds > 0 ? rates[i] / seconds : Double.NaN;
    }
    return rates;
  }

  /** Returns the growth of a counter; a gap if it was missing or restarted. */
  private double[] differences(ToLongFunction<Sample> counter) {
    double[] growth = new double[samples.size()];
    for (int i = 0; i < growth.length; i++) {
      long before = i == 0 ? Sample.ABSENT : counter.applyAsLong(samples.get(i - 1));
      long value = counter.applyAsLong(samples.get(i));
      growth[i] = before >= 0 && value >= before ? value - before : Double.NaN;
    }
    return growth;
  }
}
