package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.util.RecoverLeaseFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recovers a log without its writer, as HBase does after a crash. Meanwhile a disk of each DataNode
 * is 100 times slower, and replicas are copied. Compares HDFS's locks of the dataset with those of
 * {@link TieredDatasetFactory}, in turn. A round is over when the log is closed and read and a file
 * is written, as of a region that is opened. A night makes 20 rounds ({@code -Drounds=20}). {@link
 * LogRecoveryTest} does the same with all of HBase.
 */
@EnabledIfSystemProperty(named = "nightly", matches = "true")
class LeaseRecoveryTest {
  private static final int ROUNDS = Integer.getInteger("rounds", 20);
  private static final int RECORDS = 16;
  private static final byte[] RECORD = new byte[4 << 10];
  private static final double NANOS_PER_SECOND = 1e9;

  @TempDir private Path directory;

  /** HDFS with the locks of one side. */
  private final class Side implements AutoCloseable {
    private final LocalCluster cluster;
    private final SlowDiskLoad load;
    private final DistributedFileSystem fs;
    private int round;

    Side(String name, boolean ours) throws IOException {
      ClusterBuilder builder = SlowDiskLoad.builder(directory.resolve(name), ours).hbase(false);
      cluster = builder.start();
      Configuration conf = new Configuration();
      cluster.clientConfiguration().forEach(conf::set);
      fs = (DistributedFileSystem) FileSystem.newInstance(conf);
      load = new SlowDiskLoad(cluster, fs);
    }

    double round() throws Exception {
      round++;
      org.apache.hadoop.fs.Path log = new org.apache.hadoop.fs.Path("/log-" + round);
      try (DistributedFileSystem writer =
          (DistributedFileSystem) FileSystem.newInstance(fs.getConf())) {
        writeUnfinished(writer, log);
        try (SlowDiskLoad.Running running = load.start()) {
          long begin = System.nanoTime();
          RecoverLeaseFSUtils.recoverFileLease(fs, log, fs.getConf());
          requireRecords(log);
          try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/s-" + round))) {
            out.write(RECORD);
          }
          return (System.nanoTime() - begin) / NANOS_PER_SECOND;
        } finally {
          // As of a process that was killed: it neither closes its files nor goes on.
          writer.getClient().closeAllFilesBeingWritten(true);
        }
      }
    }

    private void writeUnfinished(DistributedFileSystem writer, org.apache.hadoop.fs.Path log)
        throws IOException {
      FSDataOutputStream out = writer.create(log);
      for (int i = 0; i < RECORDS; i++) {
        out.write(RECORD);
        out.hflush();
      }
    }

    private void requireRecords(org.apache.hadoop.fs.Path log) throws IOException {
      try (InputStream in = fs.open(log)) {
        assertThat(in.readAllBytes()).hasSize(RECORDS * RECORD.length);
      }
    }

    @Override
    public void close() throws IOException {
      try (LocalCluster closing = cluster) {
        fs.close();
      }
    }
  }

  @Test
  void aLogIsRecoveredAsSoonAsWithHdfssLocks() throws Exception {
    try (Side stock = new Side("stock", false);
        Side ours = new Side("ours", true)) {
      assertThat(SlowDiskLoad.compare(ROUNDS, stock::round, ours::round))
          .as("lower end of the interval of 95 % of ours by HDFS's")
          .isLessThanOrEqualTo(1);
    }
  }
}
