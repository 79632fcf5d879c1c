package org.fastpath.tools.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.tools.conf.ClientConfiguration;
import org.fastpath.tools.conf.ConfException;

/**
 * A cluster as its HMaster reports it. Needs HBase's client.
 *
 * @param servers address of each live RegionServer's web server, by the address of the server
 * @param tables user tables, in the order of their names
 * @param lockedReplicas number of locked replicas of each pinned block
 */
record LiveCluster(
    Map<String, String> servers, List<TableMemory.Files> tables, int lockedReplicas) {
  private static final String LOCKED_REPLICAS = "hbase.fastpath.hdfs-cache.replication";
  private static final String REPLICAS = "dfs.replication";
  private static final int USUAL_REPLICAS = 3;

  /** Asks the HMaster: two calls for the whole cluster. */
  static LiveCluster of(Path conf) throws IOException {
    Configuration configuration = ClientConfiguration.of(conf);
    UserGroupInformation.setConfiguration(configuration);
    String scheme = configuration.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://";
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      Map<ServerName, ServerMetrics> live =
          new TreeMap<>(admin.getClusterMetrics().getLiveServerMetrics());
      Map<String, String> servers = new LinkedHashMap<>();
      live.forEach(
          (name, metrics) ->
              servers.put(
                  name.getAddress().toString(),
                  scheme + name.getHostname() + ":" + metrics.getInfoServerPort()));
      return new LiveCluster(
          servers,
          files(live.values(), admin.listTableDescriptors()),
          lockedReplicas(configuration));
    }
  }

  /** Returns the number of locked replicas, which has the default of the pins themselves. */
  static int lockedReplicas(Configuration configuration) {
    int replicas =
        configuration.getInt(LOCKED_REPLICAS, configuration.getInt(REPLICAS, USUAL_REPLICAS));
    if (replicas < 1) {
      throw new ConfException(LOCKED_REPLICAS + " is " + replicas + ", allowed is 1 to 512");
    }
    return replicas;
  }

  private static List<TableMemory.Files> files(
      Iterable<ServerMetrics> servers, List<TableDescriptor> descriptors) {
    Map<TableName, TableMemory.Files> tables = new TreeMap<>();
    for (TableDescriptor descriptor : descriptors) {
      TableName table = descriptor.getTableName();
      tables.put(table, new TableMemory.Files(table, isCompressed(descriptor), 0, 0));
    }
    for (ServerMetrics server : servers) {
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        tables.computeIfPresent(
            RegionInfo.getTable(region.getRegionName()),
            (table, files) ->
                files.plus(
                    bytes(region.getStoreFileSize()),
                    bytes(region.getUncompressedStoreFileSize())));
      }
    }
    return List.copyOf(tables.values());
  }

  private static boolean isCompressed(TableDescriptor table) {
    for (var family : table.getColumnFamilies()) {
      if (family.getCompressionType() != Compression.Algorithm.NONE) {
        return true;
      }
    }
    return false;
  }

  private static long bytes(Size size) {
    return (long) size.get(Size.Unit.BYTE);
  }
}
