package org.fastpath.clients.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** A cluster of real daemons and its client. Not thread-safe. */
final class ClusterVariant implements Variant {
  /** The codec that sends tags to the client. */
  private static final String CODEC = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";

  /**
   * Keys that switch off all automatic operations: compactions, balancing, and flushes of full
   * memstores.
   */
  private static final Map<String, String> DRIVEN =
      Map.ofEntries(
          Map.entry("hbase.hstore.compaction.min", AdminWork.NEVER),
          Map.entry("hbase.hstore.compaction.date.tiered.incoming.window.min", AdminWork.NEVER),
          Map.entry("hbase.store.stripe.compaction.minFiles", AdminWork.NEVER),
          Map.entry("hbase.store.stripe.compaction.minFilesL0", AdminWork.NEVER),
          Map.entry("hbase.store.stripe.initialStripeCount", "3"),
          Map.entry("hbase.hstore.blockingStoreFiles", AdminWork.NEVER),
          Map.entry("hbase.hregion.majorcompaction", "0"),
          Map.entry("hbase.hfile.compaction.discharger.interval", "500"),
          Map.entry("hbase.balancer.period", "86400000"),
          Map.entry("hbase.regionserver.optionalcacheflushinterval", "0"),
          Map.entry("hbase.mob.compaction.chore.period", "0"),
          Map.entry("hbase.table.sanity.checks", "false"),
          Map.entry("hbase.client.scanner.max.result.size", "67108864"),
          Map.entry("hbase.client.pause", "20"),
          Map.entry("hbase.client.retries.number", "12"),
          Map.entry("hbase.client.operation.timeout", "180000"),
          Map.entry("hbase.client.meta.operation.timeout", "180000"),
          Map.entry("hbase.client.rpc.codec", CODEC));

  /** An operation of one kind. */
  @FunctionalInterface
  private interface Work {
    Outcome carryOut(Line line) throws Exception;
  }

  private final LocalCluster cluster;
  private final Tables tables;
  private final AdminWork admin;
  private final Reads reads;
  private final Writes writes;
  private final BulkLoad bulkLoad;
  private final Map<String, Work> works;

  /** Connects a client to a cluster that {@link #driven} describes. */
  ClusterVariant(LocalCluster cluster) throws Exception {
    this.cluster = cluster;
    Configuration conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    tables = new Tables(conf);
    reads = new Reads(tables);
    writes = new Writes(tables);
    bulkLoad = new BulkLoad(tables);
    admin = new AdminWork(tables);
    works = works();
    tables.admin().balancerSwitch(false, true);
  }

  /** Changes a cluster's description so that only the program triggers operations. */
  static ClusterBuilder driven(ClusterBuilder builder) {
    DRIVEN.forEach(builder::conf);
    return builder;
  }

  /** Starts a cluster as described. */
  static ClusterVariant start(ClusterBuilder builder) throws Exception {
    LocalCluster cluster = driven(builder).start();
    try {
      return new ClusterVariant(cluster);
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  private Map<String, Work> works() {
    return Map.ofEntries(
        Map.entry("create", admin::create),
        Map.entry("flush", admin::flush),
        Map.entry("compact", admin::compact),
        Map.entry("split", admin::split),
        Map.entry("merge", admin::merge),
        Map.entry("snapshot", admin::snapshot),
        Map.entry("clone", admin::cloneSnapshot),
        Map.entry("restore", admin::restore),
        Map.entry("alter", admin::alter),
        Map.entry("truncate", admin::truncate),
        Map.entry("move", admin::move),
        Map.entry("kill", this::kill),
        Map.entry("bulk", bulkLoad::load),
        Map.entry("fill", writes::fill),
        Map.entry("put", writes::put),
        Map.entry("delete", writes::delete),
        Map.entry("increment", writes::increment),
        Map.entry("append", writes::append),
        Map.entry("mutate", writes::mutateRow),
        Map.entry("check", writes::check),
        Map.entry("batch", writes::batch),
        Map.entry("get", reads::get),
        Map.entry("exists", reads::exists),
        Map.entry("scan", reads::scan),
        Map.entry("open", reads::open),
        Map.entry("next", reads::next),
        Map.entry("close", reads::close));
  }

  /**
   * Kills all RegionServers with SIGKILL and starts them again, so no region keeps its memory. It
   * kills all of them, because the clusters differ in the places of their regions.
   */
  private Outcome kill(Line line) throws Exception {
    List<Daemon> servers =
        cluster.daemons().stream().filter(daemon -> daemon.role() == Role.REGIONSERVER).toList();
    servers.forEach(Daemon::kill);
    servers.forEach(Daemon::restart);
    tables.awaitAnswers();
    admin.awaitQuiet();
    return Outcome.of("done");
  }

  @Override
  public void begin(int run, Times times) {
    tables.begin(run);
    reads.begin(times);
    writes.begin(times);
    bulkLoad.begin(times);
  }

  @Override
  public Outcome apply(Line line) {
    Work work = works.get(line.verb());
    if (work == null) {
      throw new IllegalArgumentException("no operation " + line);
    }
    Outcome outcome;
    try {
      outcome = work.carryOut(line);
    } catch (Exception | AssertionError e) {
      // HBase's client also fails by assertions.
      outcome = Errors.outcome(e);
    }
    nextMillisecond();
    return outcome;
  }

  /**
   * Waits for the next millisecond. Otherwise two cells of one column could get the same server
   * timestamp on one variant only.
   */
  private static void nextMillisecond() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now) {
      Thread.onSpinWait();
    }
  }

  /** Restarts the RegionServers, whose handlers would go on for good. */
  @Override
  public void recover() throws Exception {
    kill(Line.of("kill"));
  }

  @Override
  public void end() throws Exception {
    reads.end();
    tables.drop();
  }

  @Override
  public List<String> leaks() throws Exception {
    List<String> leaks = new ArrayList<>();
    for (Daemon daemon : cluster.daemons()) {
      leaks.addAll(Resources.leaks(daemon, this::storeFiles));
    }
    return leaks;
  }

  /** Returns the number of files of all regions of a server. */
  private long storeFiles(Daemon server) throws IOException {
    long files = 0;
    for (ServerName name : tables.admin().getRegionServers()) {
      if (name.getPort() == server.port()) {
        for (RegionMetrics region : tables.admin().getRegionMetrics(name)) {
          files += region.getStoreFileCount();
        }
      }
    }
    return files;
  }

  @Override
  public void close() throws Exception {
    try {
      tables.close();
    } finally {
      cluster.close();
    }
  }
}
