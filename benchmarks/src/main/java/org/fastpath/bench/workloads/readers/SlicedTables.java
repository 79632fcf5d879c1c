package org.fastpath.bench.workloads.readers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Table;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Cluster;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.Meters;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Window;

/**
 * Tables of the same rows in one RegionServer, one for each variant. Slices alternate between them,
 * so all variants have the same machine, the same compiled code and the same heap. Only then can a
 * difference of a few percent be distinguished from chance. In each round the tables change
 * variants, so the place of a table in memory favours no variant.
 */
public final class SlicedTables {
  private static final int SETTLING_GROUPS = 1;
  private final Run run;
  private final Cluster cluster;
  private final DataTable.Shape shape;
  private final List<String> variants;
  private final int sliceMillis;
  private final List<DataTable> tables = new ArrayList<>();
  private final Map<String, DataTable> roles = new HashMap<>();
  private long seed = 2015;

  /** Loads the tables, whose names begin with the prefix. */
  public SlicedTables(
      Run run,
      Cluster cluster,
      String prefix,
      DataTable.Shape shape,
      List<String> variants,
      int sliceMillis)
      throws IOException {
    this.run = run;
    this.cluster = cluster;
    this.shape = shape;
    this.variants = variants;
    this.sliceMillis = sliceMillis;
    for (int i = 1; i <= variants.size(); i++) {
      tables.add(DataTable.compacted(cluster, prefix + i, shape, run));
    }
  }

  /** Assigns tables to variants: a table attribute selects the variant, and one variant has it. */
  public void cast(int round, String attribute, String on) throws IOException {
    for (int i = 0; i < variants.size(); i++) {
      DataTable table = tables.get((i + round) % tables.size());
      table.attribute(attribute, variants.get(i).equals(on));
      roles.put(variants.get(i), table);
    }
  }

  /** Reads each table from end to end, so all its blocks are cached. */
  public void fill(int scanRows) throws IOException {
    for (DataTable table : tables) {
      try (Table open = cluster.connection().getTable(table.name())) {
        new Requests(shape, 0).fill(open, scanRows);
      }
    }
  }

  public DataTable of(String variant) {
    return roles.get(variant);
  }

  /** Measures slices of all variants, which request the same rows, for some seconds each. */
  public Map<String, List<Window>> measure(
      RequestLoad.Request request, int threads, int seconds, String label) throws IOException {
    int groups = Math.max(1, seconds * 1000 / sliceMillis);
    Console.Step step = run.step("slices", label);
    seed++;
    try (Meters meters = new Meters()) {
      for (String variant : variants) {
        meters.add(variant, cluster, of(variant).name(), request, threads, seed, false);
      }
      meters.slices(step, SETTLING_GROUPS, seed, sliceMillis);
      long blocks = cluster.blockReads();
      Map<String, List<Window>> windows = meters.slices(step, groups, seed + 1, sliceMillis);
      blocks = cluster.blockReads() - blocks;
      meters.stop();
      step.done(summary(windows) + (blocks > 0 ? "; " + blocks + " blocks were not cached" : ""));
      return windows;
    }
  }

  private String summary(Map<String, List<Window>> windows) {
    return windows.entrySet().stream()
        .map(variant -> variant.getKey() + " " + Window.together(variant.getValue()))
        .collect(Collectors.joining("; "));
  }
}
