package org.fastpath.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks whether a daemon is ready, through its web server and, if another daemon must know it,
 * through that one's.
 */
final class Readiness {
  private static final String NAMENODE_INFO = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final String DATANODE_INFO = "Hadoop:service=DataNode,name=DataNodeInfo";
  private static final String DATANODE_BLOCKS = "Hadoop:service=DataNode,name=FSDatasetState*";
  private static final String MASTER_SERVER = "Hadoop:service=HBase,name=Master,sub=Server";
  private static final String REGIONSERVER_SERVER =
      "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final int ZOOKEEPER_TIMEOUT_MILLIS = 5_000;

  private Readiness() {}

  /** Returns the event for which {@link #isReady} waits, for a message. */
  static String awaited(Role role) {
    return switch (role) {
      case ZOOKEEPER -> "to answer on its client port";
      case NAMENODE -> "to leave safe mode";
      case DATANODE -> "to register with the NameNode";
      case MASTER -> "to assign hbase:meta and finish its initialization";
      case REGIONSERVER -> "to report to the HMaster";
    };
  }

  /** Returns the roles without which a daemon of this role cannot become ready. */
  static List<Role> needs(Role role) {
    return switch (role) {
      case ZOOKEEPER, NAMENODE -> List.of();
      case DATANODE -> List.of(Role.NAMENODE);
      case MASTER -> List.of(Role.ZOOKEEPER, Role.NAMENODE);
      case REGIONSERVER -> List.of(Role.ZOOKEEPER, Role.NAMENODE, Role.MASTER);
    };
  }

  /** Returns whether the daemon is ready; also false while it does not answer. */
  static boolean isReady(Daemon daemon, LocalCluster cluster) {
    try {
      return switch (daemon.role()) {
        case ZOOKEEPER -> zooKeeper(daemon);
        case NAMENODE -> nameNode(daemon);
        case DATANODE -> dataNode(daemon, cluster.daemon(Role.NAMENODE, 0));
        case MASTER -> master(daemon);
        case REGIONSERVER -> regionServer(daemon, cluster.daemon(Role.MASTER, 0));
      };
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the number of regions that are open on a RegionServer; 0 if it does not answer. */
  static int openRegions(Daemon regionServer) {
    try {
      return regionServer
          .jmxAttribute(REGIONSERVER_SERVER, "regionCount")
          .map(Integer::parseInt)
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private static boolean zooKeeper(Daemon daemon) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(ZOOKEEPER_TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress("127.0.0.1", daemon.port()), ZOOKEEPER_TIMEOUT_MILLIS);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.contains("Mode:");
    }
  }

  private static boolean nameNode(Daemon daemon) throws IOException {
    return daemon.jmxAttribute(NAMENODE_INFO, "Safemode").filter(String::isEmpty).isPresent();
  }

  private static boolean dataNode(Daemon daemon, Daemon nameNode) throws IOException {
    // This bean appears after the first contact with the NameNode. Before that, a query for actors
    // causes an error in the DataNode's log, which could hide a real one.
    if (daemon.jmxAttribute(DATANODE_BLOCKS, "modelerType").isEmpty()) {
      return false;
    }
    boolean running =
        daemon.jmxAttribute(DATANODE_INFO, "BPServiceActorInfo").orElse("").contains("RUNNING");
    return running
        && nameNode
            .jmxAttribute(NAMENODE_INFO, "LiveNodes")
            .orElse("")
            .contains(":" + daemon.port() + "\"")
        && daemon.hasItsDevices();
  }

  private static boolean master(Daemon daemon) throws IOException {
    return daemon
        .jmxAttribute(MASTER_SERVER, "masterFinishedInitializationTime")
        .filter(time -> Long.parseLong(time) > 0)
        .isPresent();
  }

  /**
   * Checks a RegionServer. A server name ends in its start time, which distinguishes this process
   * from an earlier one.
   */
  private static boolean regionServer(Daemon daemon, Daemon master) throws IOException {
    Optional<String> live = master.jmxAttribute(MASTER_SERVER, "tag.liveRegionServers");
    Matcher matcher = Pattern.compile("," + daemon.port() + ",(\\d+)").matcher(live.orElse(""));
    while (matcher.find()) {
      if (Long.parseLong(matcher.group(1)) >= daemon.startedMillis()) {
        return true;
      }
    }
    return false;
  }
}
