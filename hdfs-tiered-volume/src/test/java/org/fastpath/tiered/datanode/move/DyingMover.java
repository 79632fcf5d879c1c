package org.fastpath.tiered.datanode.move;

import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A mover in a process of its own that dies as soon as it has moved a replica to an SSD. */
public final class DyingMover {
  static final int DEAD = 9;

  private DyingMover() {}

  public static void main(String[] args) throws Exception {
    HdfsConfiguration conf = new HdfsConfiguration();
    DistributedFileSystem fs = (DistributedFileSystem) new Path(args[0]).getFileSystem(conf);
    FileMover mover = FileMover.open(conf);
    mover.start();
    while (true) {
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(args[0], 0, Long.MAX_VALUE).getLocatedBlocks()) {
        if (Arrays.asList(block.getStorageTypes()).contains(StorageType.SSD)) {
          Runtime.getRuntime().halt(DEAD);
        }
      }
      Thread.sleep(10);
    }
  }
}
