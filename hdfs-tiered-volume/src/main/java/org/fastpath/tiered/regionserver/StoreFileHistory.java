package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.TimeRangeTracker;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The history of a store file from its own metadata: its writer, and the timestamp of its newest
 * cell. It never changes. Reading it costs the same as opening the file in HBase: its tail, and no
 * data block.
 *
 * @param writer of the file
 * @param newestMillis the newest timestamp of a cell; {@link Long#MAX_VALUE} if it has none
 */
record StoreFileHistory(Writer writer, long newestMillis) {
  /** HBase's mark in the name of a bulk-loaded file. */
  private static final String BULK_LOADED = "_SeqId_";

  /** The possible writers of a store file. */
  enum Writer {
    FLUSH,
    MINOR_COMPACTION,
    MAJOR_COMPACTION,
    BULK_LOAD,
    /** An old HBase version, which did not record the compacted files. */
    UNKNOWN
  }

  /** Reads the history. */
  static StoreFileHistory read(FileSystem fs, Path file, Configuration conf) throws IOException {
    try (HFile.Reader reader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf)) {
      Map<byte[], byte[]> info = reader.getHFileInfo();
      return new StoreFileHistory(writer(file, info), newest(info));
    }
  }

  private static Writer writer(Path file, Map<byte[], byte[]> info) throws IOException {
    byte[] major = info.get(HStoreFile.MAJOR_COMPACTION_KEY);
    byte[] compacted = info.get(HStoreFile.COMPACTION_EVENT_KEY);
    if (file.getName().contains(BULK_LOADED) || info.containsKey(HStoreFile.BULKLOAD_TIME_KEY)) {
      return Writer.BULK_LOAD;
    }
    if (major != null && Bytes.toBoolean(major)) {
      return Writer.MAJOR_COMPACTION;
    }
    if (compacted == null) {
      return Writer.UNKNOWN;
    }
    boolean ofNone = ProtobufUtil.toCompactedStoreFiles(compacted).isEmpty();
    return ofNone ? Writer.FLUSH : Writer.MINOR_COMPACTION;
  }

  private static long newest(Map<byte[], byte[]> info) throws IOException {
    byte[] range = info.get(HStoreFile.TIMERANGE_KEY);
    return Optional.ofNullable(range == null ? null : TimeRangeTracker.parseFrom(range))
        .map(TimeRangeTracker::getMax)
        .filter(newest -> newest >= 0)
        .orElse(Long.MAX_VALUE);
  }
}
