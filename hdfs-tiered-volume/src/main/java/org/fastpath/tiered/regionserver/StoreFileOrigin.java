package org.fastpath.tiered.regionserver;

import java.util.OptionalLong;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The known facts about a store file before its first byte.
 *
 * @param kind of the writer
 * @param inputBytes input of a compaction; -1 if unknown or for a flush
 * @param ageMillis age of the newest input cell of a compaction, so no cell of the file is younger;
 *     -1 if unknown or for a flush
 */
record StoreFileOrigin(StoreFileKind kind, long inputBytes, long ageMillis) {
  private static final long UNKNOWN = -1;

  /** The origin of a file that a flush writes. */
  static final StoreFileOrigin FLUSH = new StoreFileOrigin(StoreFileKind.FLUSH, UNKNOWN, UNKNOWN);

  /** The origin of a file that a compaction of unknown files writes. */
  static final StoreFileOrigin COMPACTION =
      new StoreFileOrigin(StoreFileKind.MINOR_COMPACTION, UNKNOWN, UNKNOWN);

  /** Returns the origin of the files that a compaction writes. */
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
      // The region closes the file meanwhile, so the compaction will fail.
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

  /** Returns the same origin with the size of the inputs. */
  StoreFileOrigin reading(long bytes) {
    return new StoreFileOrigin(kind, bytes, ageMillis);
  }
}
