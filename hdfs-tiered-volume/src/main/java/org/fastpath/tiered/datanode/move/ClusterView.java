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
 * The state of the cluster that plans need. It is read at most every two seconds, because the
 * report of many volumes is long. Thread-safe.
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

  /** Returns views that are at most two seconds old. */
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

  /** Returns the effective policy of a file: its own, an inherited one, or the default. */
  BlockStoragePolicy policy(HdfsFileStatus file) {
    return placement.effective(file);
  }

  /** Returns the volumes, less the room that plans of this view have reserved. */
  TargetVolumes volumes() {
    return volumes;
  }

  /** Returns the rule of HDFS's placement policy. */
  PlacementRule rule(boolean striped) {
    return rules.of(striped ? BlockType.STRIPED : BlockType.CONTIGUOUS);
  }
}
