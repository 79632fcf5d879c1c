package org.fastpath.offheap.store;

import org.fastpath.offheap.index.CachedFile;

/**
 * Records the cached blocks for the next process: in a file, or not at all. The store calls it
 * under its lock, in an order that is safe if the process is killed.
 */
public interface Persistence {
  /** No persistence. */
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

  /** Reports the first block of a file. */
  void named(CachedFile file);

  /** Reports a restored block, whose file has its name in this slot. */
  void restored(CachedFile file, int slot);

  /** Reports the removal of a file's last block. */
  void forgotten(CachedFile file);

  /** Reports a removed or unpublished block, before its memory is used again. */
  void removed(int entry);

  /** Returns whether blocks stay after the shut-down of the cache. */
  boolean outlivesProcess();
}
