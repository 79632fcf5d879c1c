package org.fastpath.tools.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.tools.conf.ClientConfiguration;
import org.fastpath.tools.conf.Role;

/**
 * An HBase cluster, asked by HBase's client.
 *
 * @param targets its HMaster and its live RegionServers
 * @param families column families whose encoding keeps tags compressed; empty if tables are unknown
 */
record HBaseCluster(List<Target> targets, List<StockFamily> families) {
  /** The port of a server that has not sent its first report to the HMaster. */
  private static final int NOT_REPORTED_YET = 0;

  private static final Set<DataBlockEncoding> TAG_COMPRESSING =
      EnumSet.of(DataBlockEncoding.PREFIX, DataBlockEncoding.DIFF, DataBlockEncoding.FAST_DIFF);

  /** Signals that HBase asks for a Kerberos ticket and this user has none. */
  static final class NoTicketException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Asks the cluster of a configuration directory.
   *
   * @param millis for one call of the client, and for all of its attempts
   * @throws NoTicketException if the cluster asks for a ticket and this user has none
   */
  static HBaseCluster ask(Path directory, int millis) throws IOException {
    Configuration conf = ClientConfiguration.of(directory);
    UserGroupInformation.setConfiguration(conf);
    if (User.isHBaseSecurityEnabled(conf) && !canLogIn(conf)) {
      throw new NoTicketException();
    }
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.client.operation.timeout", millis);
    conf.setInt("hbase.client.meta.operation.timeout", millis);
    conf.setInt("hbase.rpc.timeout", millis);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setInt("zookeeper.session.timeout", millis);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      boolean secure = conf.getBoolean("hbase.ssl.enabled", false);
      return of(admin, secure);
    }
  }

  /** Asks the HMaster. While it initializes, it knows servers and no tables. */
  static HBaseCluster of(Admin admin, boolean secure) throws IOException {
    List<Target> targets = targets(admin, secure);
    try {
      return new HBaseCluster(targets, families(admin));
    } catch (IOException e) {
      return new HBaseCluster(targets, List.of());
    }
  }

  /** HBase's client takes a ticket, also that of a proxy user, a token, or a keytab of its keys. */
  private static boolean canLogIn(Configuration conf) throws IOException {
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    UserGroupInformation real = user.getRealUser();
    return user.hasKerberosCredentials()
        || (real != null && real.hasKerberosCredentials())
        || !user.getTokens().isEmpty()
        || User.shouldLoginFromKeytab(conf);
  }

  private static List<Target> targets(Admin admin, boolean secure) throws IOException {
    ClusterMetrics metrics =
        admin.getClusterMetrics(
            EnumSet.of(Option.LIVE_SERVERS, Option.MASTER, Option.MASTER_INFO_PORT));
    List<Target> targets = new ArrayList<>();
    targets.add(
        Target.of(
            Role.MASTER,
            metrics.getMasterName().getHostname() + ":" + metrics.getMasterInfoPort(),
            secure));
    metrics
        .getLiveServerMetrics()
        .forEach(
            (server, load) -> {
              int port = load.getInfoServerPort();
              if (port != NOT_REPORTED_YET) {
                targets.add(
                    Target.of(Role.REGIONSERVER, server.getHostname() + ":" + port, secure));
              }
            });
    return targets;
  }

  private static List<StockFamily> families(Admin admin) throws IOException {
    List<StockFamily> families = new ArrayList<>();
    for (TableDescriptor table : admin.listTableDescriptors()) {
      for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
        DataBlockEncoding encoding = family.getDataBlockEncoding();
        if (TAG_COMPRESSING.contains(encoding) && family.isCompressTags()) {
          families.add(
              new StockFamily(
                  table.getTableName().getNameAsString(),
                  family.getNameAsString(),
                  encoding.name()));
        }
      }
    }
    return families;
  }
}
