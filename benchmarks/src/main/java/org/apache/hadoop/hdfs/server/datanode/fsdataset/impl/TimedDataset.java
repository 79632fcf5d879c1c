package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.fastpath.tiered.datanode.DatasetOperation;

/** HDFS's dataset, with a clock at what makes and finalizes replicas. */
final class TimedDataset extends FsDatasetImpl {
  TimedDataset(DataNode dataNode, DataStorage storage, Configuration conf) throws IOException {
    super(dataNode, storage, conf);
  }

  @Override
  public ReplicaHandler createRbw(
      StorageType type, String storageId, ExtendedBlock block, boolean lazy, long newStamp)
      throws IOException {
    return DatasetOperation.CREATE_RBW.timed(
        () -> super.createRbw(type, storageId, block, lazy, newStamp));
  }

  @Override
  public ReplicaHandler createTemporary(
      StorageType type, String storageId, ExtendedBlock block, boolean transfer)
      throws IOException {
    return DatasetOperation.CREATE_TEMPORARY.timed(
        () -> super.createTemporary(type, storageId, block, transfer));
  }

  @Override
  public void finalizeBlock(ExtendedBlock block, boolean sync) throws IOException {
    DatasetOperation.FINALIZE_BLOCK.timed(
        () -> {
          super.finalizeBlock(block, sync);
          return null;
        });
  }
}
