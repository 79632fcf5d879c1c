package org.fastpath.tiered.datanode.move;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** Paths by which a file is found wherever it was renamed to. */
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
}
