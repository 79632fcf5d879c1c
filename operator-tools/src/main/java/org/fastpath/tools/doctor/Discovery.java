package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.conf.Site;

/** Finds daemons from configurations, an HMaster and NameNodes. */
final class Discovery {
  private static final String NAMENODE = "dfs.namenode.http-address";
  private static final String SECURE_NAMENODE = "dfs.namenode.https-address";
  private static final String RPC = "dfs.namenode.rpc-address";
  private static final String NAME_SERVICES = "dfs.nameservices";
  private static final String NAMENODES = "dfs.ha.namenodes.";
  private static final String HTTP_POLICY = "dfs.http.policy";
  private static final String SERVER_PORT = "hbase.regionserver.info.port";
  private static final String DEFAULT_SERVER_PORT = "16030";

  private static final int NAMENODE_PORT = 9870;
  private static final int SECURE_NAMENODE_PORT = 9871;

  private static final Pattern HDFS = Pattern.compile("hdfs://([^/:]+)(?::[0-9]+)?/?");

  private static final Pattern ANY_HOST = Pattern.compile("0\\.0\\.0\\.0(:[0-9]+)");

  /** A host and its port; the host is no IP address. */
  private static final Pattern HOST_NAME = Pattern.compile("([^:]*[^:0-9.][^:]*):[0-9]+");

  private Discovery() {}

  /** Returns the NameNodes of a configuration, those of all name services. */
  static List<Target> nameNodes(Site site) {
    boolean secure = site.value(HTTP_POLICY, "").equals("HTTPS_ONLY");
    String key = secure ? SECURE_NAMENODE : NAMENODE;
    Set<String> suffixes = new LinkedHashSet<>();
    suffixes.add("");
    for (String service : site.list(NAME_SERVICES)) {
      suffixes.add("." + service);
      site.list(NAMENODES + service).forEach(node -> suffixes.add("." + service + "." + node));
    }
    return suffixes.stream()
        .flatMap(suffix -> site.value(key + suffix).map(a -> reachable(site, suffix, a)).stream())
        .distinct()
        .map(address -> Target.of(Role.NAMENODE, address, secure))
        .toList();
  }

  /** Returns the address with the host of the NameNode's RPC server in place of 0.0.0.0. */
  private static String reachable(Site site, String suffix, String address) {
    Matcher any = ANY_HOST.matcher(address);
    if (!any.matches()) {
      return address;
    }
    return site.value(RPC + suffix)
        .map(rpc -> rpc.substring(0, Math.max(0, rpc.lastIndexOf(':'))))
        .filter(host -> !host.isEmpty())
        .or(() -> defaultHost(site))
        .map(host -> host + any.group(1))
        .orElse(address);
  }

  /** Returns the host of the default file system; empty if it is a name service. */
  private static Optional<String> defaultHost(Site site) {
    Matcher files = HDFS.matcher(site.value("fs.defaultFS", ""));
    return files.matches() && site.list(NAME_SERVICES).isEmpty()
        ? Optional.of(files.group(1))
        : Optional.empty();
  }

  /**
   * Returns the NameNode of the default file system at its usual web port, where no key says more.
   */
  static Optional<Target> usualNameNode(Site site) {
    boolean secure = site.value(HTTP_POLICY, "").equals("HTTPS_ONLY");
    int port = secure ? SECURE_NAMENODE_PORT : NAMENODE_PORT;
    return defaultHost(site).map(host -> Target.of(Role.NAMENODE, host + ":" + port, secure));
  }

  /** Returns the DataNodes that a NameNode has heard of. */
  static List<Target> dataNodes(DaemonReport nameNode) {
    boolean secure = nameNode.address().startsWith("https:");
    List<Target> targets = new ArrayList<>();
    LiveNodes.of(nameNode)
        .forEach(
            (name, node) -> {
              String address = node.path(secure ? "infoSecureAddr" : "infoAddr").asText();
              if (address.matches(".+:[1-9][0-9]*")) {
                targets.add(Target.of(Role.DATANODE, named(name, address), secure));
              }
            });
    return targets;
  }

  /**
   * Returns a web address with the node's name instead of its IP address: tickets and certificates
   * are made for names.
   */
  private static String named(String node, String address) {
    Matcher name = HOST_NAME.matcher(node);
    return name.matches() ? name.group(1) + address.substring(address.lastIndexOf(':')) : address;
  }

  /**
   * Returns the RegionServers that an HMaster lists in its MBean. It knows no ports of web servers:
   * these are taken from the configuration.
   */
  static List<Target> regionServers(DaemonReport master, Optional<ConfDirectory> hbase) {
    String port =
        hbase
            .map(d -> d.site().value(SERVER_PORT, DEFAULT_SERVER_PORT))
            .orElse(DEFAULT_SERVER_PORT);
    boolean secure = master.address().startsWith("https:");
    List<Target> targets = new ArrayList<>();
    String servers = master.attribute(Beans.MASTER, "tag.liveRegionServers").asText();
    for (String server : servers.split(";")) {
      int comma = server.indexOf(',');
      if (comma > 0) {
        targets.add(
            Target.of(Role.REGIONSERVER, server.substring(0, comma).trim() + ":" + port, secure));
      }
    }
    return targets;
  }
}
