package org.fastpath.bench.simulators.hitratio;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.Measurement;
import org.fastpath.bench.engine.results.Measurement.Better;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Replays traces on all policies. It is a separate command line, because its class path has the jar
 * of our policy. The stock worlds must not have that jar.
 */
@Command(
    name = "hit-ratio",
    header = "Hit ratio of cache policies",
    description =
        "Hit ratios of our eviction policy, Caffeine, LRU, S3-FIFO, SIEVE and the optimum on"
            + " synthetic or recorded traces. No cluster is needed.")
@Experiment.Quick("--reads 200000 --seeds 1 --cache 10")
public final class HitRatio extends Experiment {
  private static final String MEASUREMENT = "hit-ratio";

  /** The first fifth of the reads does not count. */
  private static final int WARM_UP_DIVISOR = 5;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Recorded traces to replay instead of the built-in ones: lines of FILE OFFSET LENGTH"
              + " [scan], compressed if the name ends with .gz.")
  private List<Path> files = List.of();

  @Option(names = "--reads", description = "Reads of each synthetic trace.")
  private int reads = 2_000_000;

  @Option(
      names = "--seeds",
      split = ",",
      description = "Seeds of synthetic traces; one round each.")
  private List<Long> seeds = List.of(1L, 2L, 3L);

  @Option(
      names = "--cache",
      split = ",",
      description = "Sizes of the cache, percent of all blocks.")
  private List<Integer> percents = List.of(1, 10, 30);

  public static void main(String[] args) {
    System.exit(Experiment.execute(new HitRatio(), args));
  }

  @Override
  protected void check() {
    atLeast("--reads", 1_000, reads);
    for (int percent : percents) {
      if (percent < 1 || percent > 100) {
        throw refusal("--cache is " + percent + ": 1 to 100 percent are possible");
      }
    }
  }

  @Override
  protected void run(Run run) throws IOException {
    for (Contender contender : Contender.values()) {
      run.results().describe(contender.title, contender.description);
    }
    run.results().candidate(Contender.OURS.title);
    for (int percent : percents) {
      for (long seed : files.isEmpty() ? seeds : List.of(0L)) {
        for (Trace trace : traces(percent / 100.0, seed)) {
          replay(run, trace, percent);
        }
      }
    }
    run.results().better(MEASUREMENT, Better.HIGHER);
    run.console().print(table(run.results().build()));
  }

  private List<Trace> traces(double share, long seed) throws IOException {
    List<Trace> traces = new ArrayList<>();
    if (files.isEmpty()) {
      traces.addAll(new Traces(reads, seed).all(share));
      traces.addAll(TraceFile.recorded());
    }
    for (Path file : files) {
      traces.add(TraceFile.read(file));
    }
    return traces;
  }

  private void replay(Run run, Trace trace, int percent) {
    Map<String, String> params =
        new Params().with("trace", trace.name()).with("cache", percent + " %");
    long bytes = trace.bytes() * percent / 100;
    int first = trace.reads().length / WARM_UP_DIVISOR;
    StringBuilder line = new StringBuilder(percent + " %, " + trace.name() + ":");
    Contender[] contenders = Contender.values();
    double[] ratios =
        Arrays.stream(contenders)
            .parallel()
            .mapToDouble(contender -> contender.hitRatio(trace, bytes, first))
            .toArray();
    for (Contender contender : contenders) {
      double ratio = ratios[contender.ordinal()];
      run.round(MEASUREMENT, params, contender.title, "%", ratio);
      line.append(String.format(Locale.ROOT, " %s %.2f", contender.title, ratio));
    }
    run.console().line(line.toString());
  }

  /** Returns hit ratios as Markdown: a table for each size of the cache, means of the seeds. */
  static String table(Results results) {
    List<String> titles = Stream.of(Contender.values()).map(each -> each.title).toList();
    StringBuilder text = new StringBuilder();
    String size = "";
    Predicate<Measurement> isFirst = any -> any.variant().equals(titles.get(0));
    for (Measurement first : results.measurements().stream().filter(isFirst).toList()) {
      if (!first.params().get("cache").equals(size)) {
        size = first.params().get("cache");
        text.append("\n| cache " + size + " | " + String.join(" | ", titles) + " |\n|---|");
        text.append("---:|".repeat(titles.size())).append('\n');
      }
      text.append("| ").append(first.params().get("trace")).append(" |");
      for (String title : titles) {
        Measurement own = results.find(MEASUREMENT, title, first.params()).orElseThrow();
        double mean = Arrays.stream(own.perRound()).average().orElseThrow();
        text.append(String.format(Locale.ROOT, " %.1f |", mean));
      }
      text.append('\n');
    }
    return text.toString();
  }
}
