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
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.World;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.results.Measurement.Better;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs probes cache by cache. In each round and for each set of parameters, each cache has one JVM.
 * The JVMs run one right after the other, in another order each time.
 */
@Command(
    name = "block-cache",
    header = "Block caches: heap and wasted memory",
    description =
        "Block caches without a cluster, a JVM each. Measures heap per block and wasted memory."
            + " Sides: bucket-cache, caffeine, ours.")
@Experiment.Quick("--rounds 1 --blocks 100000 --measure heap")
public final class BlockCaches extends Experiment {
  /** A parameter of all probes: the {@link CacheVariant}. */
  static final String CACHE = "cache";

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);

  @Option(names = "--measure", split = ",", description = "Measurements: heap, waste.")
  private List<String> measured = List.of("heap", "waste");

  @Option(names = "--caches", split = ",", description = "Sides: bucket-cache, caffeine, ours.")
  private List<String> caches = List.of("bucket-cache", "caffeine", "ours");

  @Option(names = "--blocks", description = "Number of blocks for the measurement of heap.")
  private int blocks = 1_000_000;

  @Override
  protected void check() {
    atLeast("--blocks", 100_000, blocks);
    variants();
    probes();
  }

  private List<CacheVariant> variants() {
    return chosen("cache", caches, List.of(CacheVariant.values()), CacheVariant::id);
  }

  private List<Measured> probes() {
    return chosen("measurement", measured, List.of(Measured.values()), Measured::label);
  }

  private List<Map<String, String>> cases(Measured probe) {
    return switch (probe) {
      case HEAP -> List.of(Map.of(HeapPerBlock.BLOCKS, "" + blocks));
      case WASTE -> {
        List<Map<String, String>> all = new ArrayList<>();
        for (String values : MemoryWaste.ALL_VALUES) {
          MemoryWaste.ALL_CODINGS.forEach(
              coding -> all.add(Map.of(MemoryWaste.VALUES, values, MemoryWaste.CODING, coding)));
        }
        yield all;
      }
    };
  }

  @Override
  protected void run(Run run) throws IOException {
    run.results().candidate(CacheVariant.OURS.id());
    for (int round = 0; round < rounds.rounds; round++) {
      for (Measured probe : probes()) {
        for (Map<String, String> params : cases(probe)) {
          for (CacheVariant variant : Interleaved.order(variants(), round)) {
            run.results().describe(variant.id(), variant.description());
            String label = Interleaved.label(round, rounds.rounds);
            Console.Step step = run.step("", label, probe.label(), params, variant.id());
            Lines lines = new Lines();
            measure(run, probe, variant, params, lines, step);
            lines.record(run, step, new TreeMap<>(params), "", variant.id());
          }
        }
      }
    }
    run.results().better("block-cache.heap.blocks", Better.HIGHER);
  }

  /**
   * Counts a cache's heap per block, with 100,000 blocks, and its waste, with blocks of values of 1
   * KB. Each has a new JVM.
   */
  public static Lines count(Run run, CacheVariant variant, Console.Step step) throws IOException {
    Lines lines = new Lines();
    Map<String, String> blocks = Map.of(HeapPerBlock.BLOCKS, "100000");
    measure(run, Measured.HEAP, variant, blocks, lines, step);
    Map<String, String> values = Map.of(MemoryWaste.VALUES, "1024", MemoryWaste.CODING, "NONE");
    measure(run, Measured.WASTE, variant, values, lines, step);
    return lines;
  }

  private static void measure(
      Run run,
      Measured probe,
      CacheVariant variant,
      Map<String, String> params,
      Lines lines,
      Console.Step step)
      throws IOException {
    Layout layout = Layout.here();
    World.OFF_HEAP.prepare(layout);
    Path log = run.directory().resolve("probes.log");
    Process process =
        new ProcessBuilder(command(layout, probe, variant, params))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(line -> lines.hear(line, step));
      if (Pause.await(process.onExit()).exitValue() != 0) {
        throw new IOException(probe.label() + " of " + variant.id() + " failed, see " + log);
      }
    } finally {
      process.destroy();
    }
  }

  private static List<String> command(
      Layout layout, Measured probe, CacheVariant variant, Map<String, String> params) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(World.OFF_HEAP.jvmFlags(layout));
    command.addAll(probe.jvmFlags);
    command.addAll(List.of("-cp", World.OFF_HEAP.classPath(layout), Lines.class.getName()));
    Map<String, String> all = new TreeMap<>(params);
    all.put(CACHE, variant.name());
    command.addAll(Lines.arguments(probe.type, all));
    return command;
  }

  /** The measurements by probes, with their memory. */
  private enum Measured {
    HEAP(HeapPerBlock.class, "-Xms4g", "-Xmx4g", "-XX:MaxDirectMemorySize=5g"),
    WASTE(MemoryWaste.class);

    private final Class<? extends Lines.Probe> type;

    /** Additional flags, which override those of the world. */
    private final List<String> jvmFlags;

    Measured(Class<? extends Lines.Probe> type, String... jvmFlags) {
      this.type = type;
      this.jvmFlags = List.of(jvmFlags);
    }

    private String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
