package org.fastpath.metrics.hadoop;

import java.util.Arrays;
import java.util.List;

/** The kind of this process. It decides the names of beans and the context of records. */
enum ProcessRole {
  REGION_SERVER(
      "org.apache.hadoop.hbase.regionserver.HRegionServer", "RegionServer,sub=", "regionserver"),
  MASTER("org.apache.hadoop.hbase.master.HMaster", "Master,sub=", "master"),
  DATA_NODE("org.apache.hadoop.hdfs.server.datanode.DataNode", "", "dfs"),
  SECURE_DATA_NODE("org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter", "", "dfs"),
  NAME_NODE("org.apache.hadoop.hdfs.server.namenode.NameNode", "", "dfs"),
  /** Anything else. */
  CLIENT("", "", "client");

  private final String mainClass;
  private final String prefix;
  private final String context;

  ProcessRole(String mainClass, String prefix, String context) {
    this.mainClass = mainClass;
    this.prefix = prefix;
    this.context = context;
  }

  /** Finds the role by the command that started the JVM. A launcher may precede the main class. */
  static ProcessRole current() {
    return of(System.getProperty("sun.java.command", ""));
  }

  static ProcessRole of(String command) {
    List<String> words = List.of(command.split(" "));
    return Arrays.stream(values())
        .filter(role -> role != CLIENT && words.contains(role.mainClass))
        .findFirst()
        .orElse(CLIENT);
  }

  /** Returns the name of a source in Metrics2: the part of its bean's name after {@code name=}. */
  String sourceName(String source) {
    return prefix + source;
  }

  /** Returns the context tag, the same as in HBase's and HDFS's own records. */
  String context() {
    return context;
  }
}
