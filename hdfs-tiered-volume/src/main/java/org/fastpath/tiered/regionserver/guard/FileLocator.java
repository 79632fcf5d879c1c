package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Asks the NameNode for the places of a file, with one call. Not thread-safe. */
final class FileLocator implements FileSurvey.Locator {
  private final DistributedFileSystem hdfs;
  private Map<Byte, BlockStoragePolicy> policies = Map.of();

  FileLocator(DistributedFileSystem hdfs) {
    this.hdfs = hdfs;
  }

  @Override
  public LocatedFile locate(String path) throws IOException {
    HdfsLocatedFileStatus file = hdfs.getClient().getLocatedFileInfo(path, false);
    if (file == null || file.getLocatedBlocks() == null) {
      return null;
    }
    return LocatedFile.of(wanted(file), file.getLocatedBlocks().getLocatedBlocks());
  }

  private List<StorageType> wanted(HdfsLocatedFileStatus file) throws IOException {
    if (file.getErasureCodingPolicy() != null) {
      return List.of();
    }
    BlockStoragePolicy policy = policy(file.getStoragePolicy());
    return policy == null ? List.of() : policy.chooseStorageTypes(file.getReplication());
  }

  private BlockStoragePolicy policy(byte id) throws IOException {
    byte effective =
        id == HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED
            ? hdfs.getClient().getServerDefaults().getDefaultStoragePolicyId()
            : id;
    if (!policies.containsKey(effective)) {
      Map<Byte, BlockStoragePolicy> known = new HashMap<>();
      for (BlockStoragePolicy policy : hdfs.getAllStoragePolicies()) {
        known.put(policy.getId(), policy);
      }
      policies = known;
    }
    return policies.get(effective);
  }
}
