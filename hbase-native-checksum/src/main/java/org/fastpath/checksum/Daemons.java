package org.fastpath.checksum;

import java.util.List;

/**
 * Tells a server process, which a wrong setting must stop, from somebody's program that happens to
 * read HDFS.
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
   * Whether a main class of HBase's or HDFS's is named in the command that started the JVM, by a
   * launcher too.
   */
  static boolean isDaemon() {
    return isDaemon(System.getProperty("sun.java.command", ""));
  }

  static boolean isDaemon(String command) {
    List<String> words = List.of(command.split(" "));
    return MAIN_CLASSES.stream().anyMatch(words::contains);
  }
}
