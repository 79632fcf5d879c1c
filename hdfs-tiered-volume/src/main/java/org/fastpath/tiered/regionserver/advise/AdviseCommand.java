package org.fastpath.tiered.regionserver.advise;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.fastpath.tiered.ConfDirectory;
import org.fastpath.tiered.regionserver.TierRules;

/** The command {@code tiers advise}: prints settings for the volumes of the cluster. */
public final class AdviseCommand {
  private static final String USAGE =
      """
      usage: tiers advise [--conf DIR] [--bandwidth TYPE=BYTES,...] [--probe] [--heap SIZE]
                          [--cores N] [--servers N]

        --conf DIR         the core-site.xml, hdfs-site.xml and hbase-site.xml; else the class path's
        --bandwidth LIST   what a volume writes in a second, such as SSD=447m,DISK=127m
        --probe            measures it where it is not given, by a file on each type
        --probe-size SIZE  bytes of that file (64m)
        --probe-directory DIR  where it is written (/tmp)
        --heap SIZE        of a RegionServer (16g)
        --cores N          of a RegionServer's machine (those of this one)
        --servers N        RegionServers (one for each DataNode)

      Prints settings computed from the volumes that DataNodes report, with a reason for each, and
      the XML. Logs, flushes and compactions are taken to be where hbase-site.xml has them.\
      """;

  private static final String WAL_POLICY = "hbase.wal.storage.policy";
  private static final String BY_DEFAULT = "HOT";

  private static final long GIGA = 1L << 30;
  private static final long PROBE_BYTES = 64 << 20;
  private static final int MAX_SERVERS = 100_000;
  private static final int MAX_CORES = 4096;
  private static final int OK = 0;
  private static final int WRONG_USE = 2;

  private final PrintStream out;

  /** Makes a command that prints there. */
  public AdviseCommand(PrintStream out) {
    this.out = out;
  }

  /** Runs the command. Returns the exit code: 0 on success, 2 after a usage error. */
  public int run(List<String> args) throws IOException {
    Optional<AdviseOptions> options = AdviseOptions.of(args);
    if (options.isEmpty()) {
      out.println(USAGE);
      return WRONG_USE;
    }
    Configuration conf = configuration(options.get().text(AdviseOptions.CONF));
    try (FileSystem files = FileSystem.newInstance(conf)) {
      if (!(files instanceof DistributedFileSystem hdfs)) {
        throw new IOException(files.getUri() + " is not HDFS");
      }
      AdviseReport.print(shape(hdfs, conf, options.get()), out);
    }
    return OK;
  }

  private static Configuration configuration(Optional<String> directory) {
    Configuration conf = new HdfsConfiguration();
    if (directory.isEmpty()) {
      conf.addResource("hbase-site.xml");
      return conf;
    }
    ConfDirectory.addTo(conf, directory.get(), "core-site.xml", "hdfs-site.xml", "hbase-site.xml");
    return conf;
  }

  private ClusterShape shape(DistributedFileSystem hdfs, Configuration conf, AdviseOptions options)
      throws IOException {
    Map<StorageType, TierVolumes> volumes =
        TierVolumes.of(
            Arrays.asList(hdfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)));
    if (volumes.isEmpty()) {
      throw new IOException("no DataNode reports a volume");
    }
    TierRules rules = TierRules.of(conf);
    int nodes = volumes.values().stream().mapToInt(TierVolumes::nodes).max().orElse(1);
    return new ClusterShape(
        volumes,
        bandwidth(hdfs, volumes, options),
        type(hdfs, WAL_POLICY, conf.getTrimmed(WAL_POLICY, BY_DEFAULT), volumes),
        type(hdfs, TierRules.FLUSH, rules, volumes),
        type(hdfs, TierRules.COMPACTION, rules, volumes),
        otherCompactions(hdfs, rules, volumes),
        rules.largeBytes(),
        Math.min(hdfs.getDefaultReplication(new Path("/")), nodes),
        (int) options.whole(AdviseOptions.SERVERS, nodes, 1, MAX_SERVERS),
        (int)
            options.whole(
                AdviseOptions.CORES, Runtime.getRuntime().availableProcessors(), 1, MAX_CORES),
        options.whole(AdviseOptions.HEAP, 16 * GIGA, GIGA / 2, 1024 * GIGA));
  }

  private static Set<StorageType> otherCompactions(
      DistributedFileSystem hdfs, TierRules rules, Map<StorageType, TierVolumes> volumes)
      throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (String key : List.of(TierRules.MAJOR, TierRules.LARGE, TierRules.OLD)) {
      if (rules.policies().containsKey(key)) {
        types.add(type(hdfs, key, rules, volumes));
      }
    }
    return types;
  }

  private static StorageType type(
      DistributedFileSystem hdfs,
      String key,
      TierRules rules,
      Map<StorageType, TierVolumes> volumes)
      throws IOException {
    return type(hdfs, key, rules.policies().getOrDefault(key, BY_DEFAULT), volumes);
  }

  /** Returns the type that a policy wants for the first replica, or its fallback. */
  private static StorageType type(
      DistributedFileSystem hdfs, String key, String name, Map<StorageType, TierVolumes> volumes)
      throws IOException {
    String known = name.equalsIgnoreCase("NONE") ? BY_DEFAULT : name;
    BlockStoragePolicy policy =
        hdfs.getAllStoragePolicies().stream()
            .filter(candidate -> candidate.getName().equalsIgnoreCase(known))
            .findFirst()
            .orElseThrow(
                () ->
                    new IOException(
                        key + " is " + name + ", which is no policy of " + "this HDFS"));
    for (StorageType type : policy.getStorageTypes()) {
      if (volumes.containsKey(type)) {
        return type;
      }
    }
    for (StorageType type : policy.getCreationFallbacks()) {
      if (volumes.containsKey(type)) {
        return type;
      }
    }
    throw new IOException(
        key + " is " + name + ", and there are volumes of types " + volumes.keySet() + " only");
  }

  private Map<StorageType, Bandwidth> bandwidth(
      DistributedFileSystem hdfs, Map<StorageType, TierVolumes> volumes, AdviseOptions options)
      throws IOException {
    Map<StorageType, Bandwidth> bandwidth = new EnumMap<>(StorageType.class);
    options.text(Bandwidth.OPTION).map(Bandwidth::parse).ifPresent(bandwidth::putAll);
    for (StorageType type : volumes.keySet()) {
      if (!bandwidth.containsKey(type) && options.has(AdviseOptions.PROBE)) {
        probe(hdfs, type, options).ifPresent(measured -> bandwidth.put(type, measured));
      }
      bandwidth.putIfAbsent(type, Bandwidth.assumed(type));
    }
    return bandwidth;
  }

  private Optional<Bandwidth> probe(
      DistributedFileSystem hdfs, StorageType type, AdviseOptions options) throws IOException {
    long bytes = options.whole(AdviseOptions.PROBE_SIZE, PROBE_BYTES, 1 << 20, 16 * GIGA);
    Path directory = new Path(options.text(AdviseOptions.PROBE_DIRECTORY).orElse("/tmp"));
    Optional<Bandwidth> measured =
        new BandwidthProbe(hdfs, directory, bytes)
            .measure(type)
            .map(write -> new Bandwidth(write, "measured"));
    if (measured.isEmpty()) {
      out.println(type + " was not measured: no policy has put a file there");
    }
    return measured;
  }
}
