package org.fastpath.offheap.index;

/**
 * An HFile with cached blocks: the cache's only data on the heap, once per file. The key of a block
 * is the file's number, which is never reused, and its offset.
 *
 * <p>Number, name and hash never change. The other fields are written under the cache's lock and
 * read without it by metrics.
 */
public final class CachedFile {
  /** The name of the file is recorded nowhere. */
  public static final int NO_SLOT = -1;

  private final int number;
  private final String name;
  private final long hash;

  /** The head of the list of its blocks, linked by {@link BlockEntries#fileNext}. */
  private int first = BlockEntries.NONE;

  private volatile int blocks;
  private volatile int dataBlocks;
  private volatile long bytes;

  /** The slot of its name in the cache's file, if there is one. */
  private volatile int slot = NO_SLOT;

  /** Whether restored blocks, if any, are known to be of this file. */
  private volatile boolean confirmed = true;

  /** The region whose prefetch cached all blocks, or null if some are missing. */
  private volatile FullyCached fullyCached;

  /**
   * A file all of whose blocks are cached.
   *
   * @param region its region's encoded name
   * @param bytes its size as HBase reported it
   */
  public record FullyCached(String region, long bytes) {}

  public CachedFile(int number, String name) {
    this.number = number;
    this.name = name;
    this.hash = hash(name);
  }

  /** FNV-1a over the characters, so that it is the same after a restart; BlockTable mixes it. */
  public static long hash(String name) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001B3L;
    }
    return hash;
  }

  public int number() {
    return number;
  }

  public String name() {
    return name;
  }

  public long hash() {
    return hash;
  }

  public int first() {
    return first;
  }

  public int blocks() {
    return blocks;
  }

  public int dataBlocks() {
    return dataBlocks;
  }

  public long bytes() {
    return bytes;
  }

  public FullyCached fullyCached() {
    return fullyCached;
  }

  public void fullyCached(FullyCached fullyCached) {
    this.fullyCached = fullyCached;
  }

  public int slot() {
    return slot;
  }

  public void slot(int slot) {
    this.slot = slot;
  }

  public boolean isConfirmed() {
    return confirmed;
  }

  public void confirm() {
    confirmed = true;
  }

  /** Reports a restored block, for which the file's identity is not confirmed yet. */
  public void unconfirm() {
    confirmed = false;
  }

  public void add(BlockEntries entries, int entry, boolean data) {
    entries.filePrevious(entry, BlockEntries.NONE);
    entries.fileNext(entry, first);
    if (first != BlockEntries.NONE) {
      entries.filePrevious(first, entry);
    }
    first = entry;
    blocks = blocks + 1;
    dataBlocks = dataBlocks + (data ? 1 : 0);
    bytes = bytes + entries.length(entry);
  }

  public void remove(BlockEntries entries, int entry, boolean data) {
    int previous = entries.filePrevious(entry);
    int next = entries.fileNext(entry);
    if (previous == BlockEntries.NONE) {
      first = next;
    } else {
      entries.fileNext(previous, next);
    }
    if (next != BlockEntries.NONE) {
      entries.filePrevious(next, previous);
    }
    blocks = blocks - 1;
    dataBlocks = dataBlocks - (data ? 1 : 0);
    bytes = bytes - entries.length(entry);
    fullyCached = null;
  }
}
