package org.fastpath.tiered.datanode;

import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Gets a report of each operation of a DataNode on the files of a volume. Any thread calls it,
 * during reads and writes.
 */
public interface VolumeIoListener {
  /** Returns whether an operation moves the data of a replica that is being written. */
  static boolean isTransfer(OPERATION operation) {
    return operation == OPERATION.WRITE || operation == OPERATION.FLUSH;
  }

  /**
   * Reports the begin of an operation.
   *
   * @param volume null if it is not known
   * @return {@link System#nanoTime}, or a negative number if its end shall not be reported
   */
  long begin(FsVolumeSpi volume, OPERATION operation);

  /** Reports the end of an operation. */
  void end(FsVolumeSpi volume, OPERATION operation, long beginNanos, long bytes);

  /** Reports an operation that failed with an exception. HDFS reports no {@link Error}. */
  void failed(FsVolumeSpi volume, boolean transfer, long beginNanos);
}
