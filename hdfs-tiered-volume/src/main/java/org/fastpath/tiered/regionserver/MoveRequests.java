package org.fastpath.tiered.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.datanode.move.FileMover;

/**
 * Makes this process's requests for moves, for any mover. It keeps one connection from the first
 * request until the process ends. Thread-safe.
 */
final class MoveRequests {
  private static FileMover mover;

  private MoveRequests() {}

  /**
   * Requests the move of a file to the types of its policy. If the request fails, the file stays
   * where it is.
   */
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
