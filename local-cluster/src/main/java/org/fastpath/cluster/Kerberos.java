package org.fastpath.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parts of a KDC that the daemons of a cluster need. NameNode and DataNodes run as {@code
 * hdfs}, HMaster and RegionServers as {@code hbase}. Block tokens are on, and data transfer is
 * authenticated by SASL. Web servers stay open to everybody.
 *
 * @param realm the realm of all principals
 * @param krb5Conf file with the KDC's address, for all JVMs
 * @param keytab the keys of {@code hdfs}, {@code hbase} and {@code HTTP}, each with {@code
 *     /localhost} behind it
 */
public record Kerberos(String realm, Path krb5Conf, Path keytab) {
  /** The principals of the keytab, without their realm. */
  public static final String[] PRINCIPALS = {"hdfs/localhost", "hbase/localhost", "HTTP/localhost"};

  /** Returns the flag by which a JVM finds the KDC. */
  String jvmFlag() {
    return "-Djava.security.krb5.conf=" + krb5Conf.toAbsolutePath();
  }

  /** Returns the principal of a daemon or user: {@code hdfs/localhost}. */
  public String principal(String name) {
    return name + "@" + realm;
  }

  /** Keys for daemons and clients alike. */
  Map<String, String> conf() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("hadoop.security.authentication", "kerberos");
    conf.put("hadoop.security.authorization", "true");
    // The machine does not know these users.
    conf.put(
        "hadoop.user.group.static.mapping.overrides", "hdfs=supergroup;hbase=hbase;bob=bob;HTTP=");
    conf.put("dfs.block.access.token.enable", "true");
    conf.put("dfs.data.transfer.protection", "authentication");
    // DataNodes need neither privileged ports nor SSL.
    conf.put("ignore.secure.ports.for.testing", "true");
    for (String role : new String[] {"dfs.namenode", "dfs.datanode"}) {
      conf.put(role + ".kerberos.principal", principal(PRINCIPALS[0]));
      conf.put(role + ".keytab.file", keytab.toString());
    }
    conf.put("dfs.web.authentication.kerberos.principal", principal(PRINCIPALS[2]));
    conf.put("dfs.web.authentication.kerberos.keytab", keytab.toString());
    conf.put("hbase.security.authentication", "kerberos");
    for (String role : new String[] {"hbase.master", "hbase.regionserver"}) {
      conf.put(role + ".kerberos.principal", principal(PRINCIPALS[1]));
      conf.put(role + ".keytab.file", keytab.toString());
    }
    return conf;
  }
}
