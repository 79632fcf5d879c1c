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
 * The directory of the queue: its owner and its group may make requests, others may not even list
 * them. It has the sticky bit, so that they cannot take away those of others. The lock of the mover
 * is in the same directory.
 */
final class QueueDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(QueueDirectory.class);
  private static final FsPermission OWNER_AND_GROUP = new FsPermission((short) 01770);

  private QueueDirectory() {}

  /** Makes it with its mode, whatever the umask. */
  static void make(DistributedFileSystem fs, String directory) throws IOException {
    FileSystem.mkdirs(fs, new Path(directory), OWNER_AND_GROUP);
  }

  /**
   * Makes it, or takes over one that anybody may write to, as older versions made it. Called by a
   * mover, who is a superuser.
   *
   * @param mover the user of this process
   * @param group whose members may make requests; empty if HDFS is to choose it
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
          "{} belongs to {} from now on: anybody could write to it, as of an older version",
          directory,
          mover);
    }
    if (!group.isEmpty() && !group.equals(status.getGroup())) {
      fs.setOwner(path, null, group);
    }
  }
}
