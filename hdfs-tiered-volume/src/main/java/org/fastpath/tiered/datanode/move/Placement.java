package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;

/**
 * Finds the effective policy of a file, the places of its replicas, and the misplaced ones. It uses
 * the NameNode's policies at the time of construction. Immutable.
 */
public final class Placement {
  private final Map<Byte, BlockStoragePolicy> policies;
  private final byte defaultPolicy;

  Placement(DFSClient client) throws IOException {
    // Reads the policies from the NameNode, which knows those that an operator has defined.
    this(client.getStoragePolicies(), client.getServerDefaults().getDefaultStoragePolicyId());
  }

  Placement(BlockStoragePolicy[] known, byte byDefault) {
    policies =
        Arrays.stream(known)
            .collect(Collectors.toMap(BlockStoragePolicy::getId, Function.identity()));
    defaultPolicy =
        policies.containsKey(byDefault) ? byDefault : HdfsConstants.HOT_STORAGE_POLICY_ID;
  }

  /** Reads the policies of a file system. This needs no superuser. */
  public static Placement of(DistributedFileSystem fs) throws IOException {
    return new Placement(fs.getClient());
  }

  /** Returns the effective policy of a file: its own, an inherited one, or the default. */
  BlockStoragePolicy effective(HdfsFileStatus file) {
    byte id = file.getStoragePolicy();
    boolean counts = file.getErasureCodingPolicy() == null || isForErasureCoded(id);
    BlockStoragePolicy byDefault = policies.get(defaultPolicy);
    return counts ? policies.getOrDefault(id, byDefault) : byDefault;
  }

  /**
   * Returns whether HDFS places a file by a policy. It ignores most policies of erasure-coded
   * files.
   */
  public boolean takes(HdfsFileStatus file, String policy) {
    return file.getErasureCodingPolicy() == null
        || named(policy).map(known -> isForErasureCoded(known.getId())).orElse(false);
  }

  private static boolean isForErasureCoded(byte policy) {
    return ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(policy);
  }

  private Optional<BlockStoragePolicy> named(String policy) {
    return policies.values().stream().filter(known -> known.getName().equals(policy)).findAny();
  }

  /** Returns the name of the effective policy of a file, or the inherited policy in a directory. */
  public String policy(HdfsFileStatus file) {
    return effective(file).getName();
  }

  /** Returns the bytes of a file on each type of volume, all replicas together. */
  public static Map<StorageType, Long> stored(HdfsLocatedFileStatus file) {
    Map<StorageType, Long> stored = new EnumMap<>(StorageType.class);
    for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
      Replica.of(block, file.getErasureCodingPolicy()).forEach(replica -> add(stored, replica));
    }
    return stored;
  }

  private static void add(Map<StorageType, Long> bytes, Replica replica) {
    bytes.merge(replica.type(), replica.block().getNumBytes(), Long::sum);
  }

  /**
   * Returns the misplaced bytes of a file under a policy, by the type of volume that has them;
   * empty if the policy does not exist. Missing replicas are not misplaced.
   */
  public Map<StorageType, Long> misplaced(HdfsLocatedFileStatus file, String policy) {
    return named(policy).map(wanted -> misplaced(file, wanted)).orElse(Map.of());
  }

  private static Map<StorageType, Long> misplaced(
      HdfsLocatedFileStatus file, BlockStoragePolicy wanted) {
    Map<StorageType, Long> misplaced = new EnumMap<>(StorageType.class);
    for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
      List<Replica> replicas = Replica.of(block, file.getErasureCodingPolicy());
      int count = block.isStriped() ? replicas.size() : file.getReplication();
      List<StorageType> missing = wanted.chooseStorageTypes((short) count);
      List<Replica> surplus =
          replicas.stream().filter(replica -> !missing.remove(replica.type())).toList();
      surplus.stream().limit(missing.size()).forEach(replica -> add(misplaced, replica));
    }
    return misplaced;
  }
}
