package org.fastpath.tiered.regionserver;

/** What writes a store file. */
enum StoreFileKind {
  /** A memstore that is full, or is to be empty. */
  FLUSH,
  /** A compaction of some files of a store. */
  MINOR_COMPACTION,
  /** A compaction of all files of a store. */
  MAJOR_COMPACTION
}
