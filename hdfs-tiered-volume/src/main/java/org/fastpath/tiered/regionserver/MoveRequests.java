package org.fastpath.tiered.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.datanode.move.FileMover;

/**
 * Requests of this process that files are moved, by whoever moves. One connection, from the first
 * request on until the process ends. Safe from any thread.
 */
final class MoveRequests {
  private static FileMover mover;

  private MoveRequests() {}

  /** Has a file moved to where its policy wants it; if that cannot be asked for it stays. */
  static void submit(FileSystem files, Path file) {
    try {
      mover(files).submit(file);
      TierMetrics.queued();
    } catch (IOException | RuntimeException e) {
      TierMetrics.unqueued(file, e);
    }
  }

  private static synchronized FileMover mover(FileSystem files) throws IOException {
    if (mover == null) {
      Configuration conf = new Configuration(files.getConf());
      FileSystem.setDefaultUri(conf, files.getUri());
      mover = FileMover.open(conf);
    }
    return mover;
  }
}
