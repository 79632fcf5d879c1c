package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.fastpath.tiered.InvalidValueException;

/**
 * Checks that the NameNode knows the policies of rules and that DataNodes have volumes for them. It
 * reads the current state once. Not thread-safe.
 */
final class TierCheck {
  private final FileSystem files;
  private Map<String, BlockStoragePolicy> policies;
  private Set<StorageType> present;

  /** Makes a check against HBase's file system. */
  TierCheck(FileSystem files) {
    this.files = files;
  }

  /**
   * Rejects policies that do not exist or have no volume.
   *
   * @param rules policies by key
   */
  void require(Map<String, String> rules) throws IOException {
    requirePolicies(rules);
    requireVolumes(rules);
  }

  /** Rejects policies that do not exist. */
  void requirePolicies(Map<String, String> rules) throws IOException {
    for (Map.Entry<String, String> rule : rules.entrySet()) {
      if (!policies(rule).containsKey(rule.getValue())) {
        throw new InvalidValueException(
            rule.getKey(), rule.getValue(), "one of " + String.join(", ", policies.keySet()));
      }
    }
  }

  /** Rejects known policies without a volume. */
  void requireVolumes(Map<String, String> rules) throws IOException {
    for (Map.Entry<String, String> rule : rules.entrySet()) {
      requireVolume(rule.getKey(), policies(rule).get(rule.getValue()));
    }
  }

  /** Returns the policies that the NameNode knows. */
  private Map<String, BlockStoragePolicy> policies(Map.Entry<String, String> rule)
      throws IOException {
    if (!(files instanceof DistributedFileSystem hdfs)) {
      throw new InvalidValueException(
          rule.getKey(), rule.getValue(), "nothing: only HDFS has storage policies");
    }
    if (policies == null) {
      Map<String, BlockStoragePolicy> known = new TreeMap<>();
      for (BlockStoragePolicy policy : hdfs.getAllStoragePolicies()) {
        known.put(policy.getName(), policy);
      }
      present = types(hdfs);
      policies = known;
    }
    return policies;
  }

  private void requireVolume(String key, BlockStoragePolicy policy) throws IOException {
    Set<StorageType> wanted = EnumSet.copyOf(Arrays.asList(policy.getStorageTypes()));
    if (!present.isEmpty() && wanted.stream().noneMatch(present::contains)) {
      throw new InvalidValueException(
          key,
          policy.getName(),
          "a policy with types of volumes that live DataNodes have: "
              + present
              + ", not "
              + wanted);
    }
  }

  /** Returns the storage types of all volumes; empty if the user has no permission to read them. */
  private static Set<StorageType> types(DistributedFileSystem hdfs) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (DatanodeStorageReport node : reports(hdfs)) {
      if (node.getDatanodeInfo().getAdminState() == DatanodeInfo.AdminStates.NORMAL) {
        for (StorageReport volume : node.getStorageReports()) {
          types.add(volume.getStorage().getStorageType());
        }
      }
    }
    return types;
  }

  private static DatanodeStorageReport[] reports(DistributedFileSystem hdfs) throws IOException {
    try {
      return hdfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE);
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof AccessControlException) {
        return new DatanodeStorageReport[0];
      }
      throw e;
    }
  }
}
