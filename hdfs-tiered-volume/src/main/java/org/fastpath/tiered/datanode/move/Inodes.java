package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/** Finds files by their inodes, independent of renames. */
final class Inodes {
  private static final String DIRECTORY =
      String.join(
          Path.SEPARATOR,
          "",
          HdfsConstants.DOT_RESERVED_STRING,
          HdfsConstants.DOT_INODES_STRING,
          "");

  private Inodes() {}

  static String path(long inode) {
    return DIRECTORY + inode;
  }

  /**
   * Checks that files can be found by their inodes. A router of a federation cannot do that: it
   * asks its default name service for every inode.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  static void requireFound(DistributedFileSystem fs) throws IOException {
    HdfsFileStatus root = fs.getClient().getFileInfo(Path.SEPARATOR);
    if (isRouter(fs) || root == null || !isFound(fs, root.getFileId())) {
      throw new IllegalArgumentException(
          FileSystem.FS_DEFAULT_NAME_KEY
              + " is "
              + fs.getUri()
              + ", which does not find files by their inodes; allowed is hdfs: of a NameNode or of"
              + " an HA name service, not of a router");
    }
  }

  /**
   * Returns whether the server is a router. A router rejects this call, and a NameNode answers it
   * to any user.
   */
  private static boolean isRouter(DistributedFileSystem fs) throws IOException {
    try {
      fs.upgradeStatus();
      return false;
    } catch (RemoteException e) {
      if (e.getClassName().equals(UnsupportedOperationException.class.getName())) {
        return true;
      }
      throw e;
    }
  }

  private static boolean isFound(DistributedFileSystem fs, long inode) throws IOException {
    try {
      HdfsFileStatus found = fs.getClient().getFileInfo(path(inode));
      return found != null && found.getFileId() == inode;
    } catch (FileNotFoundException e) {
      return false;
    }
  }
}
