package org.fastpath.tiered.datanode;

import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Is told of each operation of a DataNode on the files of a volume. Called by any thread, on the
 * way of reads and writes.
 */
public interface VolumeIoListener {
  /** Whether an operation moves the data of a replica that is being written. */
  static boolean isTransfer(OPERATION operation) {
    return operation == OPERATION.WRITE || operation == OPERATION.FLUSH;
  }

  /**
   * An operation begins.
   *
   * @param volume null if it is not known
   * @return {@link System#nanoTime}, or a negative number if its end is of no interest
   */
  long begin(FsVolumeSpi volume, OPERATION operation);

  /** It has ended. */
  void end(FsVolumeSpi volume, OPERATION operation, long beginNanos, long bytes);

  /** It has failed with an exception. HDFS reports no {@link Error}. */
  void failed(FsVolumeSpi volume, boolean transfer, long beginNanos);
}
