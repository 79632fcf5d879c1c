package org.fastpath.bench.docs;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.datanode.move.FileMover;

/**
 * A client that computes a checksum, calls HDFS, moves files and waits for the given beans; it
 * fails without them.
 */
public final class ClientBeans {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(2);
  private static final long POLL_MILLIS = 50;

  private ClientBeans() {}

  public static void main(String[] args) throws Exception {
    Class.forName("org.fastpath.checksum.ChecksumEngine");
    Configuration conf = new Configuration();
    FileSystem.get(conf).getFileStatus(new Path("/"));
    try (FileMover mover = FileMover.open(conf)) {
      mover.start();
      await(args);
    }
  }

  private static void await(String... beans) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long deadline = System.nanoTime() + PATIENCE;
    for (String bean : beans) {
      while (!server.isRegistered(new ObjectName(bean))) {
        if (System.nanoTime() > deadline) {
          System.err.println("no bean " + bean);
          System.exit(1);
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }
}
