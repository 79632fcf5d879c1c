package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Interleaved;

/**
 * Measures variants side by side: slices alternate between their clients, in random order. Closing
 * ends all clients. Not thread-safe.
 */
public final class Meters implements AutoCloseable {
  private final Map<String, Meter> meters = new LinkedHashMap<>();

  /**
   * Starts a variant's clients, which wait for their slices. The server's counters, if they are
   * wanted, need slices of more than a second, because the server keeps them for a second.
   */
  public void add(
      String variant,
      Cluster cluster,
      TableName table,
      RequestLoad.Request request,
      int threads,
      long seed,
      boolean counters)
      throws IOException {
    RequestLoad clients = RequestLoad.waiting(cluster.connection(), table, request, threads, seed);
    meters.put(variant, new Meter(cluster, clients, Optional.empty(), counters));
  }

  public Map<String, List<Window>> slices(Console.Step step, int groups, long seed, int millis)
      throws IOException {
    return Interleaved.slices(
        meters.keySet(),
        groups,
        seed,
        (variant, group) -> {
          step.update(group, groups);
          return meters.get(variant).slice(millis);
        });
  }

  /** Lets all clients finish their requests; fails if one has failed. */
  public void stop() throws IOException {
    for (Meter meter : meters.values()) {
      meter.stop();
    }
  }

  @Override
  public void close() {
    meters.values().forEach(Meter::close);
  }
}
