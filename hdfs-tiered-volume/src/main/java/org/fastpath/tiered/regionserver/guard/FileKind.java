package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/** The writer of a store file. */
enum FileKind {
  /** A flush. */
  FLUSHED,
  /** A compaction. */
  COMPACTED,
  /** A bulk load. */
  LOADED;

  /** Returns the kind of an open file. Its metadata lists the compacted files. */
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
