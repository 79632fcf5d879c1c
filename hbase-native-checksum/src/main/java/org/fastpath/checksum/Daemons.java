package org.fastpath.checksum;

import java.util.List;

/**
 * Distinguishes a daemon from a client program that reads HDFS. A wrong setting must stop a daemon.
 */
final class Daemons {
  private static final List<String> MAIN_CLASSES =
      List.of(
          "org.apache.hadoop.hbase.regionserver.HRegionServer",
          "org.apache.hadoop.hbase.master.HMaster",
          "org.apache.hadoop.hdfs.server.datanode.DataNode",
          "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter",
          "org.apache.hadoop.hdfs.server.namenode.NameNode");

  private Daemons() {}

  /**
   * Returns whether the command that started the JVM names a main class of HBase or HDFS, also
   * behind a launcher.
   */
  static boolean isDaemon() {
    return isDaemon(System.getProperty("sun.java.command", ""));
  }

  static boolean isDaemon(String command) {
    List<String> words = List.of(command.split(" "));
    return MAIN_CLASSES.stream().anyMatch(words::contains);
  }
}
