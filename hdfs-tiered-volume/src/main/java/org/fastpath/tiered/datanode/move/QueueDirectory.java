package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of the queue. Its owner and its group may make requests; others may not even list
 * them. The sticky bit prevents users from removing others' requests. The lock of the mover is in
 * the same directory.
 */
final class QueueDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(QueueDirectory.class);
  private static final FsPermission OWNER_AND_GROUP = new FsPermission((short) 01770);

  private QueueDirectory() {}

  /** Makes the directory with its mode, independent of the umask. */
  static void make(DistributedFileSystem fs, String directory) throws IOException {
    FileSystem.mkdirs(fs, new Path(directory), OWNER_AND_GROUP);
  }

  /**
   * Makes the directory, or takes over a world-writable one of an older version. A mover calls it
   * as a superuser.
   *
   * @param mover the user of this process
   * @param group its members may make requests; empty if HDFS chooses it
   */
  static void secure(DistributedFileSystem fs, String directory, String mover, String group)
      throws IOException {
    Path path = new Path(directory);
    HdfsFileStatus status = fs.getClient().getFileInfo(directory);
    if (status == null) {
      make(fs, directory);
      status = fs.getClient().getFileInfo(directory);
    }
    if (status.getPermission().getOtherAction() != FsAction.NONE) {
      fs.setPermission(path, OWNER_AND_GROUP);
      fs.setOwner(path, mover, null);
      LOG.info(
          "The owner of {} is now {}: an older version had made the directory writable for all "
              + "users",
          directory,
          mover);
    }
    if (!group.isEmpty() && !group.equals(status.getGroup())) {
      fs.setOwner(path, null, group);
    }
  }
}
