package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * What plans need to know of the cluster, asked for every two seconds at most: the report of all
 * volumes is long where there are many. Thread-safe.
 */
final class ClusterView {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Placement placement;
  private final TargetVolumes volumes;
  private final PlacementRules rules;

  private ClusterView(DFSClient client, Configuration conf) throws IOException {
    placement = new Placement(client);
    DatanodeStorageReport[] reports = client.getDatanodeStorageReport(DatanodeReportType.LIVE);
    volumes = new TargetVolumes(reports);
    rules = new PlacementRules(conf, reports);
  }

  /** Gives views that are fresh. */
  static final class Cache {
    private final DFSClient client;
    private final Configuration conf;
    private ClusterView view;
    private long made;

    Cache(DFSClient client, Configuration conf) {
      this.client = client;
      this.conf = conf;
    }

    synchronized ClusterView get() throws IOException {
      long now = System.nanoTime();
      if (view == null || now - made > FRESH_NANOS) {
        view = new ClusterView(client, conf);
        made = now;
      }
      return view;
    }
  }

  /** The policy that counts for a file: its own, an inherited one, or the default. */
  BlockStoragePolicy policy(HdfsFileStatus file) {
    return placement.effective(file);
  }

  /** The volumes, with what plans by this view have taken of their room. */
  TargetVolumes volumes() {
    return volumes;
  }

  /** Where HDFS's placement policy lets replicas go. */
  PlacementRule rule(boolean striped) {
    return rules.of(striped ? BlockType.STRIPED : BlockType.CONTIGUOUS);
  }
}
