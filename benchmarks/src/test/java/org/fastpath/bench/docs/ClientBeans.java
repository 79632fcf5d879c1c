package org.fastpath.bench.docs;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A client that computes a checksum, asks HDFS for something and waits for the beans that it is
 * told; fails without them.
 */
public final class ClientBeans {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
  private static final long POLL_MILLIS = 50;

  private ClientBeans() {}

  public static void main(String[] args) throws Exception {
    Class.forName("org.fastpath.checksum.ChecksumEngine");
    FileSystem.get(new Configuration()).getFileStatus(new Path("/"));
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long deadline = System.nanoTime() + PATIENCE;
    for (String bean : List.of(args)) {
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
