package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * Walks through all files below an inode, one page of a listing at a time. It finds directories by
 * their inodes, so a concurrent rename has no effect. Not thread-safe.
 */
final class FileWalk {
  private final DFSClient client;
  private final Deque<Long> directories = new ArrayDeque<>();
  private byte[] after = HdfsFileStatus.EMPTY_NAME;

  FileWalk(DFSClient client) {
    this.client = client;
  }

  /** Visits a file, or adds a directory to the list. */
  void enter(HdfsFileStatus status, Consumer<HdfsLocatedFileStatus> visitor) {
    if (status.isDirectory()) {
      directories.addLast(status.getFileId());
    } else if (status instanceof HdfsLocatedFileStatus file
        && !status.isSymlink()
        && file.getLocatedBlocks() != null) {
      visitor.accept(file);
    }
  }

  /** Returns whether all files were visited. */
  boolean isDone() {
    return directories.isEmpty();
  }

  /** Visits the files of the next page. */
  void nextPage(Consumer<HdfsLocatedFileStatus> visitor) throws IOException {
    DirectoryListing page = page(directories.getFirst());
    if (page == null || !page.hasMore()) {
      directories.removeFirst();
      after = HdfsFileStatus.EMPTY_NAME;
    } else {
      after = page.getLastName();
    }
    if (page != null) {
      for (HdfsFileStatus child : page.getPartialListing()) {
        enter(child, visitor);
      }
    }
  }

  private DirectoryListing page(long directory) throws IOException {
    try {
      return client.listPaths(Inodes.path(directory), after, true);
    } catch (FileNotFoundException e) {
      return null;
    }
  }
}
