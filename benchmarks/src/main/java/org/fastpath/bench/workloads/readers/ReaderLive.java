package org.fastpath.bench.workloads.readers;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.CollapsedStacks;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests.Kind;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;
import org.fastpath.bench.engine.results.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the effect of the off-heap reader on clients. Tables of the same rows are in one
 * RegionServer, with all blocks in our block cache. A table attribute selects the reader, HBase's
 * or the off-heap reader (see {@link SlicedTables}). The JIT's profiles contain both readers, like
 * those of a server with the reader on for some tables.
 *
 * <p>Clients and server share the machine. Rows per second depend on both, CPU time on the
 * RegionServer alone.
 */
@Command(
    name = "reader-live",
    header = "Reads of cached tables: HBase's reader and the off-heap reader",
    description =
        "Gets, multi-gets and scans by many clients of tables in our block cache. Measures rows per"
            + " second, CPU time and allocation of the RegionServer per row, and latencies. Sides:"
            + " stock, a table that HBase reads; ours, one that the off-heap reader reads.")
@Experiment.Quick(
    "--rounds 1 --warm-up 2 --seconds 2 --threads 5 --table 32 --value-bytes 100 --reads"
        + " multi-get,scan-filter-all --heap 1024")
public final class ReaderLive extends Experiment {
  private static final List<String> VARIANTS = List.of("stock", "ours");
  private static final String PREFIX = "reader-live.";
  private static final String VALUE_BYTES = "value bytes";
  private static final int SLICE_MILLIS = 1000;

  /** The cache's size over that of the blocks: room for indexes and the cache's reserve. */
  private static final double ROOM = 1.25;

  private static final int MIN_CACHE_MEGABYTES = 64;

  @Mixin private Options.Rounds rounds = new Options.Rounds(4);
  @Mixin private Options.Times times = new Options.Times(40, 6);

  @Mixin
  private Options.Load load =
      new Options.Load(
          List.of(5, 25, 50, 75), Stream.of(Kind.values()).map(Kind::label).toArray(String[]::new));

  @Option(names = "--value-bytes", split = ",", converter = Options.Positive.class)
  private List<Integer> valueBytes = List.of(100, 1000);

  @Option(names = "--table", paramLabel = "MB", converter = Options.Positive.class)
  private int table = 128;

  @Option(names = "--heap", paramLabel = "MB", description = "Heap of the RegionServer.")
  private int heap = 2048;

  private Run run;
  private Testbed testbed;

  /** Sets defaults that differ from those of other experiments. */
  public ReaderLive() {
    load.batch = 100;
    load.scanRows = 10_000;
  }

  @Override
  protected void check() {
    atLeast("--heap", 256, heap);
    kinds();
    valueBytes.forEach(size -> atLeast("--table in rows", load.scanRows, shape(size).rows()));
  }

  private List<Kind> kinds() {
    return chosen("reads", load.reads, List.of(Kind.values()), Kind::label);
  }

  DataTable.Shape shape(int size) {
    return DataTable.Shape.ofMegabytes(table, size);
  }

  /** Returns a size for all blocks of all tables. */
  int cacheMegabytes() {
    return MIN_CACHE_MEGABYTES + (int) (VARIANTS.size() * valueBytes.size() * table * ROOM);
  }

  private Map<String, String> params(Kind kind, int size, int threads) {
    Params params = new Params().with(VALUE_BYTES, size).with("rows", shape(size).rows());
    params.putAll(kind.params(load.batch, load.scanRows));
    return params.with("threads", threads);
  }

  @Override
  protected void run(Run started) throws IOException {
    run = started;
    boolean shortCircuit = run.directory().hasRoomForSockets();
    Variant variant = Variant.offHeapCache(cacheMegabytes()).withReader();
    try (Testbed servers =
        new Testbed(
            run,
            variant,
            Testbed.memory(heap, cacheMegabytes()),
            builder -> builder.shortCircuit(shortCircuit))) {
      testbed = servers;
      testbed.use(variant, Results.builder("", null));
      run.results()
          .candidate("ours")
          .describe("stock", "a table that HBase reads")
          .describe("ours", "a table that the off-heap reader reads, in the same RegionServer");
      Map<Integer, SlicedTables> tables = new LinkedHashMap<>();
      for (int size : valueBytes) {
        String prefix = "values_" + size + "_";
        tables.put(
            size, new SlicedTables(run, testbed, prefix, shape(size), VARIANTS, SLICE_MILLIS));
      }
      for (int round = 0; round < rounds.rounds; round++) {
        for (SlicedTables pair : tables.values()) {
          pair.cast(round, Variant.READER, "ours");
          pair.fill(load.scanRows);
        }
        // Each of the tables is one file.
        testbed.awaitReader(tables.size());
        for (Map.Entry<Integer, SlicedTables> pair : tables.entrySet()) {
          for (Kind kind : kinds()) {
            measure(pair.getValue(), pair.getKey(), kind, round);
          }
        }
      }
    }
  }

  private void measure(SlicedTables pair, int size, Kind kind, int round) throws IOException {
    RequestLoad.Request request = kind.of(shape(size), load.batch, load.scanRows);
    String what = kind.label() + " of " + size + " B";
    String label = Interleaved.label(round, rounds.rounds) + ", " + what;
    if (round == 0 && times.warmUp > 0) {
      int seconds = Math.max(1, times.warmUp / VARIANTS.size());
      pair.measure(request, Collections.max(load.threads), seconds, label + ", warm-up");
    }
    for (int threads : load.threads) {
      pair.measure(request, threads, times.seconds, label + ", " + threads + " threads")
          .forEach(
              (variant, windows) ->
                  run.round(
                      Window.USUAL,
                      PREFIX + kind.label() + ".",
                      params(kind, size, threads),
                      variant,
                      Window.together(windows)));
    }
    if (round == rounds.rounds - 1) {
      profile(pair, request, what);
    }
  }

  private void profile(SlicedTables pair, RequestLoad.Request request, String what)
      throws IOException {
    int threads = load.threads.get(load.threads.size() / 2);
    for (String variant : VARIANTS) {
      String title = "RegionServer, " + what;
      RequestLoad clients =
          new RequestLoad(testbed.connection(), pair.of(variant).name(), request, threads, 1);
      CollapsedStacks.ofReads(run, testbed, title, variant, clients);
    }
  }
}
