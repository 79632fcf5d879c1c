package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/** What has written a store file. */
enum FileKind {
  /** A flush. */
  FLUSHED,
  /** A compaction. */
  COMPACTED,
  /** Somebody else, who has handed it over. */
  LOADED;

  /** Of a file that is open; it says itself which files it was made of. */
  static FileKind of(HStoreFile file) throws IOException {
    if (file.isBulkLoadResult()) {
      return LOADED;
    }
    byte[] inputs = file.getMetadataValue(HStoreFile.COMPACTION_EVENT_KEY);
    return inputs == null || ProtobufUtil.toCompactedStoreFiles(inputs).isEmpty()
        ? FLUSHED
        : COMPACTED;
  }
}
