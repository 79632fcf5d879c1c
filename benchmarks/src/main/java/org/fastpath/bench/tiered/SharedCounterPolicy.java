package org.fastpath.bench.tiered;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker;

/**
 * Round-robin as it was before HDFS-9608, to compare with: one position for the volumes of all
 * storage types. Whoever writes to one type moves the others' turn, too, so that a rhythm in the
 * requests, a log for each flush, say, becomes one in the volumes.
 *
 * <p>Thread-safe.
 *
 * @param <V> volumes
 */
public final class SharedCounterPolicy<V extends FsVolumeSpi> implements VolumeChoosingPolicy<V> {
  private int next;

  @Override
  public synchronized V chooseVolume(List<V> volumes, long replicaSize, String storageId)
      throws IOException {
    for (int tried = 0; tried < volumes.size(); tried++) {
      V volume = volumes.get(next < volumes.size() ? next : 0);
      next = (next < volumes.size() ? next + 1 : 1) % volumes.size();
      if (volume.getAvailable() > replicaSize) {
        return volume;
      }
    }
    throw new DiskChecker.DiskOutOfSpaceException(
        "no volume has room for " + replicaSize + " bytes");
  }
}
