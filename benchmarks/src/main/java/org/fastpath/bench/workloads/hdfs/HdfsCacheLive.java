package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Experiment;
import org.fastpath.bench.engine.Interleaved;
import org.fastpath.bench.engine.Options;
import org.fastpath.bench.engine.Params;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.LockedFiles;
import org.fastpath.bench.engine.cluster.Meter;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests.Kind;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the effect of blocks in the DataNode's locked memory, which holds the whole table. Stock
 * HBase fills its BucketCache from the same locked replicas.
 *
 * <p>Each variant is restarted in each round and for each kind of reads. The costs of a start,
 * mostly JIT compilation, affect all variants. Only stock also starts with an empty cache: ours is
 * kept in a file, filled before the first round. Clients without pause take cores from the
 * compiler. At a rate that leaves it some, as in production, latencies are those of users.
 */
@Command(
    name = "hdfs-cache-live",
    header = "Reads of a table in the DataNode's memory: HBase's BucketCache and mapped blocks",
    description =
        "Reads a table in the DataNode's locked memory after a restart, and when warm. Measures latencies, rows per"
            + " second and CPU time of the RegionServer. Sides: bucket-cache, with room for the table; ours-cached, our"
            + " cache, warm after a restart; ours, mapped blocks alone. Side ours-warmed adds the read"
            + " warm-up.")
@Experiment.Quick(
    "--rounds 1 --first 6 --warm-up 3 --seconds 3 --table 64 --heap 512 --reads multi-get")
public final class HdfsCacheLive extends Experiment {
  private static final int SLICE_MILLIS = 1000;
  private static final long SEED = 2014;

  /** The cache's size over the table's: room for uneven block sizes and the cache's reserve. */
  private static final double ROOM = 1.3;

  @Mixin private Options.Rounds rounds = new Options.Rounds(3);
  @Mixin private Options.Times times = new Options.Times(30, 20);
  @Mixin private Options.Load load = new Options.Load(List.of(5), "multi-get", "scan-filter-all");
  @Mixin private Options.TableSize size = new Options.TableSize(512, 1024);

  @Option(
      names = "--first",
      converter = Options.Positive.class,
      description = "Measured seconds after the start of the RegionServer.")
  private int first = 60;

  @Option(
      names = "--rate",
      converter = Options.NotNegative.class,
      description = "Rows per second; a limit leaves cores for the JIT, 0 is no limit.")
  private int rate;

  @Override
  protected void check() {
    atLeast("--warm-up", 1, times.warmUp);
    atLeast("--table", 64, size.table);
    atLeast("--heap", 256, size.heap);
    atLeast("--table in rows", load.scanRows, shape().rows());
    kinds();
  }

  private List<Kind> kinds() {
    return chosen("reads", load.reads, List.of(Kind.values()), Kind::label);
  }

  private DataTable.Shape shape() {
    return DataTable.Shape.ofMegabytes(size.table, size.valueBytes);
  }

  private int cacheMegabytes() {
    return (int) (size.table * ROOM);
  }

  private Map<String, String> params(Kind kind, int threads) {
    Params params =
        new Params()
            .with("value bytes", size.valueBytes)
            .with("rows", shape().rows())
            .with("cache MB", cacheMegabytes());
    params.putAll(kind.params(load.batch, load.scanRows));
    if (rate > 0) {
      params.with("rows/s", rate);
    }
    return params.with("threads", threads);
  }

  @Override
  protected void run(Run run) throws IOException {
    run.directory().requireRoomForSockets();
    run.results().candidate("ours");
    int cache = cacheMegabytes();
    try (Testbed testbed =
        new Testbed(
            run,
            Variant.STOCK,
            Testbed.memory(size.heap, cache),
            builder -> builder.shortCircuit(true).lockedMemory((long) cache << 20))) {
      LockedFiles locked = new LockedFiles(testbed.files());
      DataTable table = DataTable.compacted(testbed, "locked", shape(), run);
      long directive = locked.ask(table.directory());
      Variant kept = keptCache(run, cache);
      testbed.use(kept, run.results());
      try (Meter meter = meter(testbed, table, Kind.MULTI_GET, load.threads.get(0), 0)) {
        meter.windows(run.step("s", "fill the cache"), times.warmUp, SLICE_MILLIS);
        meter.stop();
      }
      Interleaved.rounds(
          rounds.rounds,
          List.of(
              Variant.bucketCache(cache),
              kept,
              Variant.mappedBlocks(),
              Variant.warmedMappedBlocks()),
          (variant, round, label) -> {
            for (Kind kind : kinds()) {
              for (int threads : load.threads) {
                testbed.use(variant, run.results());
                locked.await(directive, run.step("bytes", "lock the table in memory"));
                measure(run, testbed, table, variant.id(), kind, threads, round);
              }
            }
          });
    }
  }

  private static Variant keptCache(Run run, int megabytes) {
    return Variant.offHeapCache(megabytes)
        .as("ours-cached")
        .withReader()
        .with("kept in a file")
        .conf("hbase.fastpath.offheap-cache.file", run.directory().cluster().resolve("cache"));
  }

  private Meter meter(Testbed testbed, DataTable table, Kind kind, int threads, int round)
      throws IOException {
    RequestLoad.Request request = kind.of(shape(), load.batch, load.scanRows);
    double rows = rate == 0 ? Double.POSITIVE_INFINITY : rate;
    double perSecond = rows / kind.rows(load.batch, load.scanRows);
    RequestLoad clients =
        new RequestLoad(
            testbed.connection(), table.name(), request, threads, SEED + round, perSecond);
    return new Meter(testbed, clients);
  }

  private void measure(
      Run run, Testbed testbed, DataTable table, String variant, Kind kind, int threads, int round)
      throws IOException {
    String label = variant + ", " + Interleaved.label(round, rounds.rounds) + ", " + kind.label();
    try (Meter meter = meter(testbed, table, kind, threads, round)) {
      List<Window> start = meter.windows(run.step("s", label, "first"), first, SLICE_MILLIS);
      meter.windows(run.step("s", label, "warm-up"), times.warmUp, SLICE_MILLIS);
      List<Window> warm = meter.windows(run.step("s", label, "warm"), times.seconds, SLICE_MILLIS);
      meter.stop();
      String prefix = "hdfs-cache-live." + kind.label() + ".";
      Map<String, String> params = params(kind, threads);
      Window atStart = Window.together(start);
      Window whenWarm = Window.together(warm);
      run.round(Window.USUAL, prefix + "first.", params, variant, atStart);
      run.round(Window.USUAL, prefix + "warm.", params, variant, whenWarm);
      double slower = Window.P50.of(atStart) / Window.P50.of(whenWarm);
      run.round(prefix + "first-over-warm.latency.p50", params, variant, "×", slower);
      if (round == 0) {
        String chart = kind.label() + ": latency after a restart, ";
        Window.draw(run, kind.label() + ": rows/s after a restart", variant, Window.RATE, start);
        Window.draw(run, chart + "median", variant, Window.P50, start);
        Window.draw(run, chart + "p99", variant, Window.P99, start);
      }
    }
  }
}
