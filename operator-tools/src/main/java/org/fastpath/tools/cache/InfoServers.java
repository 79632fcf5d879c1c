package org.fastpath.tools.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.tools.conf.ClientConfiguration;

/** Asks the HMaster for the web servers of the RegionServers. Needs HBase's client. */
final class InfoServers {
  private InfoServers() {}

  /** Returns the address of each live RegionServer's web server, by the address of the server. */
  static Map<String, String> live(Path conf) throws IOException {
    Configuration configuration = ClientConfiguration.of(conf);
    UserGroupInformation.setConfiguration(configuration);
    String scheme = configuration.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://";
    Map<ServerName, String> servers = new TreeMap<>();
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        ServerName name = server.getServerName();
        servers.put(name, scheme + name.getHostname() + ":" + server.getInfoServerPort());
      }
    }
    Map<String, String> byAddress = new LinkedHashMap<>();
    servers.forEach((name, address) -> byAddress.put(name.getAddress().toString(), address));
    return byAddress;
  }
}
