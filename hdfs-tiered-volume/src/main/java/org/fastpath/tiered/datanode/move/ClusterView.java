package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * What plans need to know of the cluster, asked for every two seconds at most: the report of all
 * volumes is long where there are many. Immutable; the cache is thread-safe.
 */
final class ClusterView {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Map<Byte, BlockStoragePolicy> policies;
  private final byte defaultPolicy;
  private final DatanodeStorageReport[] reports;

  private ClusterView(DFSClient client) throws IOException {
    // From the NameNode, which knows those that an operator has defined.
    policies =
        Arrays.stream(client.getStoragePolicies())
            .collect(Collectors.toMap(BlockStoragePolicy::getId, Function.identity()));
    byte byDefault = client.getServerDefaults().getDefaultStoragePolicyId();
    defaultPolicy =
        policies.containsKey(byDefault) ? byDefault : HdfsConstants.StoragePolicy.HOT.value();
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
    byte id = file.getStoragePolicy();
    boolean counts =
        file.getErasureCodingPolicy() == null
            || ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(id);
    BlockStoragePolicy byDefault = policies.get(defaultPolicy);
    return counts ? policies.getOrDefault(id, byDefault) : byDefault;
  }

  TargetVolumes volumes() {
    return new TargetVolumes(reports);
  }
}
