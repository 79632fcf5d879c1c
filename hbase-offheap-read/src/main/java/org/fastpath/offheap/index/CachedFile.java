package org.fastpath.offheap.index;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

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

  /** Its region, or null if that is not known. */
  private volatile CachedRegions.Region region;

  /** The prefetches that cached all blocks, by the name of file or reference; or empty. */
  private volatile Map<String, FullyCached> fullyCached = Map.of();

  /**
   * A prefetch that found all blocks of a file cached.
   *
   * @param region the encoded name of the region that read the file
   * @param bytes the size as HBase reported it
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

  /** Returns whether its region is known. */
  public boolean hasRegion() {
    return region != null;
  }

  /** Returns the prefetches that cached all blocks, by the name of file or reference. */
  public Map<String, FullyCached> fullyCached() {
    return fullyCached;
  }

  /**
   * Reports a prefetch that cached all blocks.
   *
   * @param prefetched the name of this file or of a reference to it
   */
  public void fullyCached(String prefetched, FullyCached all) {
    Map<String, FullyCached> more = new HashMap<>(fullyCached);
    more.put(prefetched, all);
    fullyCached = Collections.unmodifiableMap(more);
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
    count(entries.length(entry));
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
    count(-entries.length(entry));
    fullyCached = Map.of();
  }

  private void count(int more) {
    bytes = bytes + more;
    if (region != null) {
      region.add(more);
    }
  }

  /** Counts its blocks for its region. */
  void enter(CachedRegions regions, String name) {
    if (region == null) {
      CachedRegions.Region entered = regions.enter(name);
      entered.add(bytes);
      region = entered;
    }
  }

  /** Leaves its region, without blocks. */
  void leave(CachedRegions regions) {
    if (region != null) {
      regions.leave(region);
      region = null;
    }
  }
}
