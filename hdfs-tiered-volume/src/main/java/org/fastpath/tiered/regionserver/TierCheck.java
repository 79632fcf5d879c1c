package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.security.AccessControlException;
import org.fastpath.tiered.InvalidValueException;

/**
 * Whether the NameNode knows the policies of rules, and DataNodes have a volume for them. What is
 * asked is the state of this moment; for one thread.
 */
final class TierCheck {
  private final DistributedFileSystem hdfs;
  private final Map<String, BlockStoragePolicy> policies = new HashMap<>();

  /** A check against the file system that HBase is on; one that is not HDFS has no policies. */
  TierCheck(FileSystem files) throws IOException {
    hdfs = files instanceof DistributedFileSystem distributed ? distributed : null;
    if (hdfs != null) {
      for (BlockStoragePolicy policy : hdfs.getAllStoragePolicies()) {
        policies.put(policy.getName(), policy);
      }
    }
  }

  /** Refuses rules with a policy that is not there, or that no volume is there for. */
  void require(TierRules rules) throws IOException {
    for (Map.Entry<String, String> rule : rules.policies().entrySet()) {
      BlockStoragePolicy policy = policies.get(rule.getValue());
      if (hdfs == null) {
        throw new InvalidValueException(
            rule.getKey(), rule.getValue(), "nothing: only HDFS has storage policies");
      }
      if (policy == null) {
        throw new InvalidValueException(
            rule.getKey(),
            rule.getValue(),
            "one of " + String.join(", ", new TreeSet<>(policies.keySet())));
      }
      requireVolume(rule.getKey(), policy);
    }
  }

  private void requireVolume(String key, BlockStoragePolicy policy) throws IOException {
    Set<StorageType> present = types();
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

  /** Storage types of the volumes that there are; none if the user may not know. */
  private Set<StorageType> types() throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    try {
      for (DatanodeStorageReport node :
          hdfs.getClient().getNamenode().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
        if (node.getDatanodeInfo().getAdminState() == DatanodeInfo.AdminStates.NORMAL) {
          for (StorageReport volume : node.getStorageReports()) {
            types.add(volume.getStorage().getStorageType());
          }
        }
      }
    } catch (AccessControlException e) {
      return EnumSet.noneOf(StorageType.class);
    }
    return types;
  }
}
