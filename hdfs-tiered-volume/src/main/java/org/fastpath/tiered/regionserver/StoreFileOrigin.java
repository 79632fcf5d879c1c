package org.fastpath.tiered.regionserver;

import java.util.OptionalLong;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * What is known of a store file before its first byte.
 *
 * @param kind what writes it
 * @param inputBytes what a compaction reads, -1 if that is not known or for a flush
 * @param ageMillis the age of the newest cell that a compaction reads, so that no cell of the file
 *     is younger; -1 if that is not known or for a flush
 */
record StoreFileOrigin(StoreFileKind kind, long inputBytes, long ageMillis) {
  private static final long UNKNOWN = -1;

  /** Of a file that a flush writes. */
  static final StoreFileOrigin FLUSH = new StoreFileOrigin(StoreFileKind.FLUSH, UNKNOWN, UNKNOWN);

  /** Of a file that a compaction of files that are not known writes. */
  static final StoreFileOrigin COMPACTION =
      new StoreFileOrigin(StoreFileKind.MINOR_COMPACTION, UNKNOWN, UNKNOWN);

  /** Of the files that a compaction writes. */
  static StoreFileOrigin of(CompactionRequest request) {
    return new StoreFileOrigin(
        request.isMajor() || request.isAllFiles()
            ? StoreFileKind.MAJOR_COMPACTION
            : StoreFileKind.MINOR_COMPACTION,
        UNKNOWN,
        ageMillis(request));
  }

  private static long ageMillis(CompactionRequest request) {
    try {
      return ageOfNewest(request);
    } catch (RuntimeException e) {
      // A file is closed while it is asked, with its region: nothing will come of the compaction.
      return UNKNOWN;
    }
  }

  private static long ageOfNewest(CompactionRequest request) {
    long newest = Long.MIN_VALUE;
    for (StoreFile file : request.getFiles()) {
      OptionalLong timestamp = file.getMaximumTimestamp();
      if (timestamp.isEmpty()) {
        return UNKNOWN;
      }
      newest = Math.max(newest, timestamp.getAsLong());
    }
    long now = EnvironmentEdgeManager.currentTime();
    return newest >= 0 && newest <= now ? now - newest : UNKNOWN;
  }

  /** The same file, of inputs of a size. */
  StoreFileOrigin reading(long bytes) {
    return new StoreFileOrigin(kind, bytes, ageMillis);
  }
}
