package org.fastpath.tools.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Asks the HMaster for the web ports of the RegionServers. Needs HBase's client. */
final class InfoPorts {
  private InfoPorts() {}

  /** The port of each live RegionServer's web pages. */
  static Map<ServerName, Integer> ofLiveServers(Path site) throws IOException {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      Map<ServerName, Integer> ports = new TreeMap<>();
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        ports.put(server.getServerName(), server.getInfoServerPort());
      }
      return ports;
    }
  }
}
