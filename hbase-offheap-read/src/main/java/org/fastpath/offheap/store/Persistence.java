package org.fastpath.offheap.store;

import org.fastpath.offheap.index.CachedFile;

/**
 * Remembers for the next process which blocks are cached: in a file, or not at all. The store calls
 * it under its lock, in the order in which a process that is killed may stop.
 */
public interface Persistence {
  /** For a cache that goes with its process. */
  Persistence NONE =
      new Persistence() {
        @Override
        public void named(CachedFile file) {}

        @Override
        public void restored(CachedFile file, int slot) {}

        @Override
        public void forgotten(CachedFile file) {}

        @Override
        public void removed(int entry) {}

        @Override
        public boolean outlivesProcess() {
          return false;
        }
      };

  /** The first block of a file comes in. */
  void named(CachedFile file);

  /** A block came back whose file has its name in this slot. */
  void restored(CachedFile file, int slot);

  /** The last block of a file left. */
  void forgotten(CachedFile file);

  /** A block is not cached any more, or will not be; its memory is not used again before this. */
  void removed(int entry);

  /** Whether blocks stay when the cache is shut down. */
  boolean outlivesProcess();
}
