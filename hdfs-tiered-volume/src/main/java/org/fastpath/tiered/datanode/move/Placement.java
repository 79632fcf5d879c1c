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
 * Which policy counts for a file, where its replicas are, and which of them a policy wants
 * elsewhere. The policies are those that the NameNode had when this was made. Immutable.
 */
public final class Placement {
  private final Map<Byte, BlockStoragePolicy> policies;
  private final byte defaultPolicy;

  Placement(DFSClient client) throws IOException {
    // From the NameNode, which knows those that an operator has defined.
    this(client.getStoragePolicies(), client.getServerDefaults().getDefaultStoragePolicyId());
  }

  Placement(BlockStoragePolicy[] known, byte byDefault) {
    policies =
        Arrays.stream(known)
            .collect(Collectors.toMap(BlockStoragePolicy::getId, Function.identity()));
    defaultPolicy =
        policies.containsKey(byDefault) ? byDefault : HdfsConstants.HOT_STORAGE_POLICY_ID;
  }

  /** By the policies of a file system, for which nobody has to be a superuser. */
  public static Placement of(DistributedFileSystem fs) throws IOException {
    return new Placement(fs.getClient());
  }

  /** The policy that counts for a file: its own, an inherited one, or the default. */
  BlockStoragePolicy effective(HdfsFileStatus file) {
    byte id = file.getStoragePolicy();
    boolean counts = file.getErasureCodingPolicy() == null || isForErasureCoded(id);
    BlockStoragePolicy byDefault = policies.get(defaultPolicy);
    return counts ? policies.getOrDefault(id, byDefault) : byDefault;
  }

  /** Whether HDFS places a file by a policy; it ignores most policies of erasure-coded files. */
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

  /** The name of the policy that counts for a file or, unless it says otherwise, in a directory. */
  public String policy(HdfsFileStatus file) {
    return effective(file).getName();
  }

  /** The bytes of a file on each type of volume, all replicas together. */
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
   * Of the bytes of a file, by the type of volume that has them, those that were on another type if
   * a policy had its way; none if there is no such policy. Replicas that are missing are not
   * misplaced.
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
