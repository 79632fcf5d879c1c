package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.fastpath.tiered.datanode.TimedLocks;

/**
 * Makes {@link TimedDataset}s, for {@code dfs.datanode.fsdataset.factory} of a measured DataNode.
 */
public final class TimedDatasetFactory extends FsDatasetFactory {
  /** For HDFS. */
  public TimedDatasetFactory() {}

  @Override
  public FsDatasetImpl newInstance(DataNode dataNode, DataStorage storage, Configuration conf)
      throws IOException {
    TimedLocks.install(dataNode, conf);
    return new TimedDataset(dataNode, storage, conf);
  }
}
