package org.fastpath.tiered.datanode.move;

import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.junit.jupiter.api.Test;

class PlacementTest {
  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();
  private static final byte UNSPECIFIED = 0;
  private static final int BYTES = 100;

  private final Placement placement = new Placement(SUITE.getAllPolicies(), UNSPECIFIED);

  /** Returns a file of one block that is to have three replicas. */
  private static HdfsLocatedFileStatus file(byte policy, StorageType... types) {
    DatanodeInfo[] nodes = new DatanodeInfo[types.length];
    String[] storages = new String[types.length];
    for (int i = 0; i < types.length; i++) {
      String name = "node" + i;
      nodes[i] =
          new DatanodeInfoBuilder()
              .setNodeID(new DatanodeID("127.0.0.1", name, name, 1, 2, 3, 4))
              .build();
      storages[i] = name + types[i];
    }
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("pool", 1, BYTES, 1),
            nodes,
            storages,
            types,
            0,
            false,
            new DatanodeInfo[0]);
    return (HdfsLocatedFileStatus)
        new HdfsFileStatus.Builder()
            .length(BYTES)
            .replication(3)
            .storagePolicy(policy)
            .locations(new LocatedBlocks(BYTES, false, List.of(block), block, true, null, null))
            .build();
  }

  private Map<StorageType, Long> misplaced(String policy, StorageType... types) {
    return placement.misplaced(file(UNSPECIFIED, types), policy);
  }

  @Test
  void replicasOfTypesThatThereAreTooManyOfAreMisplaced() {
    assertThat(misplaced("ALL_SSD", SSD, SSD, SSD)).isEmpty();
    assertThat(misplaced("ALL_SSD", DISK, SSD, ARCHIVE))
        .isEqualTo(Map.of(DISK, 100L, ARCHIVE, 100L));
    assertThat(misplaced("ONE_SSD", DISK, DISK, DISK)).isEqualTo(Map.of(DISK, 100L));
    assertThat(misplaced("ONE_SSD", DISK, SSD, SSD)).isEqualTo(Map.of(SSD, 100L));
  }

  @Test
  void replicasThatAreMissingOrTooManyAreNot() {
    assertThat(misplaced("COLD", ARCHIVE)).isEmpty();
    assertThat(misplaced("COLD")).isEmpty();
    assertThat(misplaced("COLD", ARCHIVE, ARCHIVE, ARCHIVE, DISK)).isEmpty();
  }

  @Test
  void aPolicyThatDoesNotExistWantsNothing() {
    assertThat(misplaced("LUKEWARM", DISK, DISK, DISK)).isEmpty();
  }

  @Test
  void theDefaultCountsWhereThereIsNoOther() {
    BlockStoragePolicy cold = SUITE.getPolicy("COLD");
    assertThat(placement.policy(file(UNSPECIFIED, DISK))).isEqualTo("HOT");
    assertThat(placement.policy(file(cold.getId(), DISK))).isEqualTo("COLD");
    assertThat(new Placement(SUITE.getAllPolicies(), cold.getId()).policy(file(UNSPECIFIED, DISK)))
        .isEqualTo("COLD");
  }

  @Test
  void whereAFileIs() {
    assertThat(Placement.stored(file(UNSPECIFIED, SSD, DISK, DISK)))
        .isEqualTo(Map.of(SSD, 100L, DISK, 200L));
  }
}
