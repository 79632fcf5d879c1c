package org.fastpath.cluster;

import java.util.List;

/** The role of a daemon of the cluster, and the start of its JVM. */
public enum Role {
  /** The one ZooKeeper server. */
  ZOOKEEPER(
      "zookeeper",
      "org.apache.hadoop.hbase.zookeeper.HQuorumPeer",
      List.of(),
      "128m",
      "hbase.zookeeper.property.clientPort",
      null),
  /** The one NameNode. */
  NAMENODE(
      "namenode",
      "org.apache.hadoop.hdfs.server.namenode.NameNode",
      List.of(),
      "256m",
      null,
      "dfs.namenode.http-address"),
  /** A DataNode. */
  DATANODE(
      "datanode",
      "org.apache.hadoop.hdfs.server.datanode.DataNode",
      List.of(),
      "256m",
      "dfs.datanode.address",
      "dfs.datanode.http.address"),
  /** The one HMaster. */
  MASTER(
      "master",
      "org.apache.hadoop.hbase.master.HMaster",
      List.of("start"),
      "512m",
      "hbase.master.port",
      "hbase.master.info.port"),
  /** A RegionServer. */
  REGIONSERVER(
      "regionserver",
      "org.apache.hadoop.hbase.regionserver.HRegionServer",
      List.of("start"),
      "1g",
      "hbase.regionserver.port",
      "hbase.regionserver.info.port");

  private final String label;
  private final String mainClass;
  private final List<String> arguments;
  private final String defaultHeap;
  private final String portKey;
  private final String httpKey;

  Role(
      String label,
      String mainClass,
      List<String> arguments,
      String defaultHeap,
      String portKey,
      String httpKey) {
    this.label = label;
    this.mainClass = mainClass;
    this.arguments = arguments;
    this.defaultHeap = defaultHeap;
    this.portKey = portKey;
    this.httpKey = httpKey;
  }

  /** Returns the role of that name, ignoring case. */
  public static Role of(String name) {
    for (Role role : values()) {
      if (role.label.equalsIgnoreCase(name)) {
        return role;
      }
    }
    throw new IllegalArgumentException(
        "no role '" + name + "': use one of zookeeper, namenode, datanode, master, regionserver");
  }

  /** Returns the name for users: "regionserver". */
  public String label() {
    return label;
  }

  String mainClass() {
    return mainClass;
  }

  List<String> arguments() {
    return arguments;
  }

  String defaultHeap() {
    return defaultHeap;
  }

  /** Returns the key of the clients' port; null for the NameNode, whose port is in a URI. */
  String portKey() {
    return portKey;
  }

  /** Returns the key of the web server's port or address; null for ZooKeeper, which has none. */
  String httpKey() {
    return httpKey;
  }

  /** Returns whether there can be several, so that names have an index. */
  boolean numbered() {
    return this == DATANODE || this == REGIONSERVER;
  }

  boolean isHBase() {
    return this == MASTER || this == REGIONSERVER || this == ZOOKEEPER;
  }
}
