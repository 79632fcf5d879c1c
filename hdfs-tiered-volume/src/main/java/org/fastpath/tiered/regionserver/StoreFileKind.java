package org.fastpath.tiered.regionserver;

/** The writer of a store file. */
enum StoreFileKind {
  /** A flush of a memstore. */
  FLUSH,
  /** A compaction of some files of a store. */
  MINOR_COMPACTION,
  /** A compaction of all files of a store. */
  MAJOR_COMPACTION
}
