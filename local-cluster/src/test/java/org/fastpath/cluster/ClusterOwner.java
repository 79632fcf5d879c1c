package org.fastpath.cluster;

import java.nio.file.Path;

/** A process that owns a cluster in the directory named first, until its input ends. */
final class ClusterOwner {
  private ClusterOwner() {}

  public static void main(String[] args) throws Exception {
    boolean hbase = Boolean.parseBoolean(args[1]);
    LocalCluster cluster =
        LocalCluster.builder()
            .directory(Path.of(args[0]))
            .hbase(hbase)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .daemon(Role.REGIONSERVER, DaemonOptions::quickStart)
            .start();
    cluster.daemons().forEach(daemon -> System.out.println("pid=" + daemon.pid()));
    System.out.println("ready");
    System.in.read();
    System.exit(0);
  }
}
