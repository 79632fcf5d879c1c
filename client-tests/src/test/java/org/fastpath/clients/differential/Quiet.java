package org.fastpath.clients.differential;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Waits until a table is quiet: its regions are open, no compaction runs, and no file refers to
 * half of another one. After a split, a compaction rewrites such files at a time of its own.
 */
final class Quiet {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long POLL_MILLIS = 10;
  private static final int TIMES = 3;

  /**
   * The longest wait for references. An open scanner keeps a compacted file and its name for
   * longer.
   */
  private static final long REFERENCES_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Tables tables;

  Quiet(Tables tables) {
    this.tables = tables;
  }

  /** Waits for a table; fails after some minutes. */
  void await(TableName table) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int quiet = 0;
    while (quiet < TIMES) {
      long waited = System.nanoTime() - begin;
      String work = underWay(table, waited < REFERENCES_NANOS);
      quiet = work.isEmpty() ? quiet + 1 : 0;
      if (waited > PATIENCE_NANOS) {
        throw new IOException("the table is not quiet: " + work);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Returns the operation that is under way; empty if there is none. */
  private String underWay(TableName table, boolean references) throws IOException {
    if (!tables.admin().isTableAvailable(table)) {
      return "regions are not open";
    }
    CompactionState compactions = tables.admin().getCompactionState(table);
    if (compactions != CompactionState.NONE) {
      return "compactions: " + compactions;
    }
    return references && hasReferences(table) ? "files with references" : "";
  }

  private boolean hasReferences(TableName table) throws IOException {
    FileSystem fs = FileSystem.get(tables.conf());
    Path directory = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(tables.conf()), table);
    for (RegionInfo region : tables.admin().getRegions(table)) {
      for (byte[] family : tables.admin().getDescriptor(table).getColumnFamilyNames()) {
        Path store = new Path(new Path(directory, region.getEncodedName()), Bytes.toString(family));
        for (FileStatus file : list(fs, store)) {
          if (StoreFileInfo.isReference(file.getPath())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static FileStatus[] list(FileSystem fs, Path directory) throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
