package org.fastpath.zcr.pin;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.nativeio.NativeIO;

/** Hadoop's own HDFS for tests in this JVM, which caches without locking memory. */
public final class MiniHdfs {
  static {
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
  }

  private MiniHdfs() {}

  /**
   * Returns a configuration of NameNodes and DataNodes that hurry, and of clients that do not wait.
   */
  public static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.datanode.max.locked.memory", 64L << 20);
    conf.setLong("dfs.namenode.path.based.cache.refresh.interval.ms", 1_000);
    conf.setLong("dfs.cachereport.intervalMsec", 500);
    conf.setLong("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    conf.setInt("dfs.client.failover.sleep.max.millis", 200);
    conf.setInt("dfs.client.failover.max.attempts", 600);
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 4_096);
    conf.setInt("dfs.replication", 1);
    return conf;
  }

  /** Begins a cluster below a directory. */
  public static MiniDFSCluster.Builder builder(Configuration conf, Path directory)
      throws IOException {
    return new MiniDFSCluster.Builder(conf, directory.toFile());
  }
}
