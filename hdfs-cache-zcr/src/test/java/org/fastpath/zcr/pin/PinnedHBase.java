package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** A real HBase whose RegionServers pin store files by {@link CachePinning}, and its clients. */
final class PinnedHBase implements AutoCloseable {
  static final Path OURS = Path.of("target", "classes").toAbsolutePath();

  /** The off-heap reader. */
  static final Path READER =
      Path.of("..", "hbase-offheap-read", "target", "classes").toAbsolutePath().normalize();

  private static final long LOCKED_MEMORY = 16L << 20;

  /** For a machine that does much else. */
  private static final Duration START_TIMEOUT = Duration.ofMinutes(10);

  final LocalCluster cluster;
  final Configuration conf;
  final Connection connection;
  final Admin admin;
  final DistributedFileSystem fs;
  final CacheDirectives directives;

  /** Becomes the user of a cluster's clients. */
  @FunctionalInterface
  interface Login {
    void as(Configuration conf) throws Exception;
  }

  /**
   * Starts it.
   *
   * @param builder with other settings of the cluster
   * @param ours keys of the RegionServers, beside the coprocessor
   * @param login done before the first call
   */
  static PinnedHBase start(ClusterBuilder builder, Map<String, String> ours, Login login)
      throws Exception {
    Map<String, String> keys = new HashMap<>(ours);
    keys.put("hbase.coprocessor.regionserver.classes", CachePinning.class.getName());
    LocalCluster cluster =
        builder
            .startTimeout(START_TIMEOUT)
            .lockedMemory(LOCKED_MEMORY)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(
                Role.REGIONSERVER,
                options ->
                    options.prependToClasspath(OURS, READER).heap("448m").quickStart().conf(keys))
            .start();
    try {
      return new PinnedHBase(cluster, ours, login);
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  private PinnedHBase(LocalCluster cluster, Map<String, String> ours, Login login)
      throws Exception {
    this.cluster = cluster;
    conf = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(conf::set);
    login.as(conf);
    connection = ConnectionFactory.createConnection(conf);
    admin = connection.getAdmin();
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
    Configuration pins = new Configuration(conf);
    ours.forEach(pins::set);
    directives =
        new CacheDirectives(fs, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(pins));
  }

  // The state of the NameNode.

  /** Directives of a table's files, by path. */
  Map<String, Directive> pinned(TableName table) throws IOException {
    Map<String, Directive> pinned = new TreeMap<>(directives.directives());
    pinned.keySet().removeIf(path -> !path.startsWith(directory(table)));
    return pinned;
  }

  /** Paths of a table's files that are in memory with all their bytes. */
  Set<String> cached(TableName table) throws IOException {
    return pinned(table).values().stream()
        .filter(directive -> directive.bytes() > 0)
        .filter(directive -> directive.cachedBytes() == directive.bytes())
        .map(Directive::path)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Set<String> storeFiles(TableName table) throws IOException {
    String pattern = directory(table) + "*/f/*";
    Set<String> paths = new TreeSet<>();
    for (FileStatus file : fs.globStatus(new org.apache.hadoop.fs.Path(pattern))) {
      paths.add(file.getPath().toUri().getPath());
    }
    return paths;
  }

  private static String directory(TableName table) {
    return "/hbase/data/default/" + table.getNameAsString() + "/";
  }

  /** All files of a table are pinned once each and in memory, and nothing else of it is. */
  void requireAllPinnedOnce(TableName table) throws IOException {
    Map<String, Directive> pinned = pinned(table);
    assertThat(pinned).isNotEmpty();
    assertThat(pinned.keySet()).isEqualTo(storeFiles(table));
    assertThat(pinned.values())
        .allMatch(directive -> directive.cachedBytes() == directive.bytes())
        .allMatch(directive -> directive.ids().size() == 1);
  }

  // The metrics of RegionServers.

  Daemon regionServer(int index) {
    return cluster.daemon(Role.REGIONSERVER, index);
  }

  List<Daemon> regionServers() {
    return cluster.daemons().stream().filter(d -> d.role() == Role.REGIONSERVER).toList();
  }

  /** Returns the server that has hbase:meta, by a look that trusts no memory of it. */
  ServerName meta() throws IOException {
    return connection
        .getRegionLocator(TableName.META_TABLE_NAME)
        .getRegionLocation(new byte[0], true)
        .getServerName();
  }

  Daemon coordinator() throws IOException {
    int port = meta().getPort();
    return regionServers().stream().filter(d -> d.port() == port).findAny().orElseThrow();
  }

  /** Returns a number of the bean of pins. */
  static long metric(Daemon server, String name) throws Exception {
    return metric(server, "HdfsCachePins", name);
  }

  static long metric(Daemon server, String source, String name) throws Exception {
    return Eventually.shown(server, "Hadoop:service=HBase,name=RegionServer,sub=" + source, name);
  }

  @Override
  public void close() throws IOException {
    try (LocalCluster closing = cluster) {
      admin.close();
      connection.close();
      fs.close();
    }
  }
}
