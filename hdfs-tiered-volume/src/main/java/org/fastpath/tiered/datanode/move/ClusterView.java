package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * What plans need to know of the cluster, asked for every two seconds at most: the report of all
 * volumes is long where there are many. Immutable; the cache is thread-safe.
 */
final class ClusterView {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Placement placement;
  private final DatanodeStorageReport[] reports;

  private ClusterView(DFSClient client) throws IOException {
    placement = new Placement(client);
    reports = client.getDatanodeStorageReport(DatanodeReportType.LIVE);
  }

  /** Gives views that are fresh. */
  static final class Cache {
    private final DFSClient client;
    private ClusterView view;
    private long made;

    Cache(DFSClient client) {
      this.client = client;
    }

    synchronized ClusterView get() throws IOException {
      long now = System.nanoTime();
      if (view == null || now - made > FRESH_NANOS) {
        view = new ClusterView(client);
        made = now;
      }
      return view;
    }
  }

  /** The policy that counts for a file: its own, an inherited one, or the default. */
  BlockStoragePolicy policy(HdfsFileStatus file) {
    return placement.effective(file);
  }

  TargetVolumes volumes() {
    return new TargetVolumes(reports);
  }
}
