package org.fastpath.tiered.datanode;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * The groups of a policy, one for each storage type. HDFS offers the volumes of one type in a new
 * list for each choice, nearly always the same volumes. A comparison per volume finds the group,
 * without look-up and allocation. Thread-safe.
 */
final class VolumeGroups {
  private final AtomicReferenceArray<Known> groups =
      new AtomicReferenceArray<>(StorageType.values().length + 1);

  private record Known(DataNodeVolume[] volumes, VolumeGroup group) {
    boolean matches(List<? extends FsVolumeSpi> offered) {
      if (offered.size() != volumes.length) {
        return false;
      }
      for (int i = 0; i < volumes.length; i++) {
        if (!volumes[i].refersTo(offered.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Returns the group of these volumes.
   *
   * @throws DiskOutOfSpaceException like the stock policies, if there is no volume
   */
  VolumeGroup of(List<? extends FsVolumeSpi> offered) throws DiskOutOfSpaceException {
    if (offered.isEmpty()) {
      throw new DiskOutOfSpaceException("No more available volumes");
    }
    StorageType type = offered.get(0).getStorageType();
    int index = type == null ? groups.length() - 1 : type.ordinal();
    Known known = groups.get(index);
    if (known == null || !known.matches(offered)) {
      known = know(offered);
      groups.set(index, known);
    }
    return known.group;
  }

  private static Known know(List<? extends FsVolumeSpi> offered) {
    DataNodeVolume[] volumes =
        offered.stream().map(VolumeRegistry.SHARED::of).toArray(DataNodeVolume[]::new);
    VolumeLoad[] loads = new VolumeLoad[volumes.length];
    for (int i = 0; i < loads.length; i++) {
      loads[i] = volumes[i].load();
    }
    return new Known(volumes, new VolumeGroup(loads));
  }

  void forEach(Consumer<VolumeGroup> action) {
    for (int i = 0; i < groups.length(); i++) {
      Known known = groups.get(i);
      if (known != null) {
        action.accept(known.group);
      }
    }
  }

  /** Returns the exception of the stock policies for the case that no volume has room. */
  static DiskOutOfSpaceException outOfSpace(VolumeGroup group, long bytes) {
    long most = 0;
    for (int i = 0; i < group.size(); i++) {
      most = Math.max(most, group.load(i).knownAvailableBytes());
    }
    return new DiskOutOfSpaceException(
        "Out of space: The volume with the most available space (="
            + most
            + " B) is less than the block size (="
            + bytes
            + " B).");
  }
}
