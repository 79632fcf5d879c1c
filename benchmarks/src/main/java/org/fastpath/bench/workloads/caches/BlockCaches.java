package org.fastpath.bench.workloads.caches;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.results.Measurement.Better;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs the {@link Probe}s cache by cache. In each round and for each set of parameters, each cache
 * has one JVM. The JVMs run one right after the other, in another order each time.
 */
@Command(
    name = "block-cache",
    description =
        "Block caches without a cluster, a JVM each. Measures stalls of a reader during evictions, heap per block,"
            + " wasted memory, and inserts while the cache grows. Sides: bucket-cache, caffeine, ours, before.")
public final class BlockCaches extends Experiment {
  private static final String GROWN_MEGABYTES = "4096";
  @Mixin private Options.Rounds rounds = new Options.Rounds(3);

  @Option(
      names = "--measure",
      split = ",",
      description = "Measurements: stalls, heap, waste, growth.")
  private List<String> measured = List.of("stalls", "heap", "waste", "growth");

  @Option(
      names = "--caches",
      split = ",",
      description = "Sides: bucket-cache, caffeine, ours, before.")
  private List<String> caches = List.of("bucket-cache", "caffeine", "ours");

  @Option(
      names = "--before",
      description = "An earlier build of hbase-offheap-read, as one more side.")
  void before(Path jar) {
    System.setProperty(World.BEFORE, jar.toAbsolutePath().toString());
  }

  @Option(
      names = "--seconds",
      converter = Options.Positive.class,
      description = "Seconds of a reader.")
  private int seconds = 30;

  @Option(
      names = "--inserts",
      converter = Options.Positive.class,
      description = "Inserts per second.")
  private int inserts = 8000;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Number of blocks for the measurement of heap.")
  private int blocks = 1_000_000;

  @Override
  protected String title() {
    return "Block caches: stalls, heap and wasted memory";
  }

  @Override
  protected String quick() {
    return "--rounds 1 --seconds 3 --blocks 100000 --measure stalls,heap";
  }

  @Override
  protected void check() {
    atLeast("--blocks", 100_000, blocks);
    for (CacheVariant variant : variants()) {
      if (!variant.world().isThere()) {
        throw refusal("the side " + variant.id() + " needs --before");
      }
    }
    probes();
  }

  private List<CacheVariant> variants() {
    return chosen("cache", caches, List.of(CacheVariant.values()), CacheVariant::id);
  }

  private List<Measured> probes() {
    return chosen("measurement", measured, List.of(Measured.values()), Measured::label);
  }

  /** Returns the sets of parameters of a measurement. */
  private List<Map<String, String>> cases(Measured probe) {
    return switch (probe) {
      case STALLS ->
          List.of(Map.of(ReaderStall.SECONDS, "" + seconds, ReaderStall.INSERTS, "" + inserts));
      case HEAP -> List.of(Map.of(HeapPerBlock.BLOCKS, "" + blocks));
      case GROWTH -> List.of(Map.of(GrowthStall.MEGABYTES, GROWN_MEGABYTES));
      case WASTE ->
          MemoryWaste.ALL_VALUES.stream()
              .flatMap(
                  values ->
                      MemoryWaste.ALL_CODINGS.stream()
                          .map(
                              coding ->
                                  Map.of(MemoryWaste.VALUES, values, MemoryWaste.CODING, coding)))
              .toList();
    };
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(CacheVariant.OURS.id());
    for (int round = 0; round < rounds.rounds; round++) {
      for (Measured probe : probes()) {
        List<CacheVariant> able =
            variants().stream()
                .filter(variant -> probe != Measured.GROWTH || variant.grows())
                .toList();
        for (Map<String, String> params : cases(probe)) {
          for (CacheVariant variant : Interleaved.order(able, round)) {
            run.results().describe(variant.id(), variant.description());
            String label = Interleaved.label(round, rounds.rounds);
            Console.Step step = run.step("", label, probe.label(), params, variant.id());
            measure(run, probe, variant, new TreeMap<>(params), step);
          }
        }
      }
    }
    run.results().better("block-cache.stall.inserted", Better.HIGHER);
    run.results().better("block-cache.heap.blocks", Better.HIGHER);
  }

  private static void measure(
      Run run, Measured probe, CacheVariant variant, Map<String, String> params, Console.Step step)
      throws IOException {
    Layout layout = Layout.here();
    variant.world().prepare(layout);
    Path log = run.directory().resolve("probes.log");
    Process process =
        new ProcessBuilder(command(layout, probe, variant, params))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Lines lines = new Lines();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(line -> lines.hear(line, step));
    } finally {
      process.destroy();
    }
    if (lines.samples().isEmpty()) {
      throw new IOException(probe.label() + " of " + variant.id() + " failed, see " + log);
    }
    StringBuilder told = new StringBuilder();
    lines
        .samples()
        .forEach(
            (key, values) -> {
              run.round(key.name(), params, variant.id(), key.unit(), values);
              if (!key.name().contains(".nothing.")) {
                String name = key.name().replaceFirst("^block-cache\\.(\\w+\\.)?", "");
                told.append(String.format(Locale.ROOT, "%s %,.1f, ", name, values[0]));
              }
            });
    step.done(told.toString());
  }

  private static List<String> command(
      Layout layout, Measured probe, CacheVariant variant, Map<String, String> params) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(variant.world().jvmFlags(layout));
    command.addAll(probe.jvmFlags());
    command.addAll(List.of("-cp", variant.world().classPath(layout), Probe.class.getName()));
    command.addAll(List.of(probe.name(), variant.id()));
    params.forEach((name, value) -> command.add(name + "=" + value));
    return command;
  }
}
