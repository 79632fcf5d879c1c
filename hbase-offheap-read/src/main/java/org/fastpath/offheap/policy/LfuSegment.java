package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Blocks that compete for room: a window, a main part, and ghost entries; see {@link
 * AdaptiveLfuPolicy}. Sizes are in bytes.
 *
 * <p>Guarded by the cache's lock, except {@link #recordHit}.
 */
final class LfuSegment {
  /** The bit of {@link BlockEntries#queue} that is set for a block of the window. */
  static final int IN_WINDOW = 1;

  /** The limit of examined blocks of an eviction in each of window and main part. */
  private static final int MAX_EXAMINED = 16;

  private static final int GHOSTS_PER_BLOCK = 4;

  private final BlockEntries entries;
  private final EntryList window;
  private final FrequencyLevels main;
  private final MemoryAllocator allocator;
  private GhostEntries ghosts;
  private Tuning tuning;
  private long capacity;
  private long windowBytes;
  private long mainBytes;
  private long freed;
  private int blocks;
  private volatile int period;
  private long periodEnds;

  LfuSegment(BlockEntries entries, Tuning tuning, MemoryAllocator allocator) {
    this.entries = entries;
    this.tuning = tuning;
    this.allocator = allocator;
    ghosts = new GhostEntries(1, allocator);
    window = new EntryList(entries);
    main = new FrequencyLevels(entries);
  }

  long bytes() {
    return windowBytes + mainBytes;
  }

  int blocks() {
    return blocks;
  }

  void capacity(long bytes) {
    capacity = bytes;
  }

  void tuning(Tuning tuning) {
    if (this.tuning != tuning) {
      this.tuning = tuning;
      periodEnds = 0;
    }
  }

  /**
   * Begins a new period if it is due.
   *
   * @param reads so far
   */
  void advance(long reads) {
    if (reads >= periodEnds) {
      periodEnds = reads + (long) (tuning.halfLife * blocks);
      period++;
      main.halve();
    }
  }

  /**
   * Records a read. Any thread calls it without a lock. It writes only the policy's word, and only
   * if it changes.
   *
   * @param slab of the block's record
   */
  void recordHit(Memory slab, int entry) {
    int word = BlockEntries.policyWord(slab, entry);
    boolean inWindow = (BlockEntries.queue(slab, entry) & IN_WINDOW) != 0;
    if (inWindow && Frequency.wasRead(word)) {
      return;
    }
    int read = Frequency.read(word, period);
    if (read != word) {
      entries.policyWord(entry, read);
    }
  }

  /** Sets the frequency of a new block, or of one that comes back. */
  void recall(int entry) {
    int earlier = ghosts.recall(KeyHash.of(entries, entry), period);
    setFrequency(entry, Math.min(earlier + Frequency.ONE, Frequency.MAX));
  }

  /** Stores the frequency of a block that is evicted. */
  void remember(int entry) {
    ghosts.remember(KeyHash.of(entries, entry), frequency(entry), period);
  }

  /**
   * Adds a block to the window. While there is room, the window's surplus moves to the main part.
   */
  void add(int entry) {
    freed = 0;
    recall(entry);
    linkToWindow(entry);
    boolean room = bytes() <= capacity;
    long most = room ? windowTarget() : windowTarget() + 2 * averageLength();
    if (windowBytes > most && window.tail() != entry) {
      promote(window.tail());
    }
  }

  /** Adds a block to the main part, with any frequency. */
  void addToMain(int entry) {
    linkToMain(entry);
  }

  void remove(int entry) {
    if (isInWindow(entry)) {
      window.remove(entry);
      windowBytes -= entries.length(entry);
    } else {
      main.remove(entry);
      mainBytes -= entries.length(entry);
    }
    blocks--;
  }

  /** Takes blocks that shall not compete any more. */
  interface Returns {
    /** Takes no block. */
    Returns NONE =
        new Returns() {
          @Override
          public boolean mayReturn(int entry) {
            return false;
          }

          @Override
          public void take(int entry) {
            throw new IllegalStateException("block " + entry + " does not return");
          }
        };

    /** Returns whether a block of the main part leaves this segment but stays in the cache. */
    boolean mayReturn(int entry);

    /** Takes such a block, which was removed from this segment. */
    void take(int entry);
  }

  /**
   * Chooses a block and removes it. Returns {@link BlockEntries#NONE} if there is none.
   *
   * @param returns takes returning blocks of the main part
   */
  int evict(IntPredicate evictable, Returns returns) {
    sizeGhosts();
    int entry = choose(evictable, returns);
    if (entry != NONE) {
      // The order matters: if memory for the ghost entry is missing, nothing has changed.
      remember(entry);
      remove(entry);
      freed += entries.length(entry);
    }
    return entry;
  }

  private void sizeGhosts() {
    if (ghosts.capacity() < (long) blocks * GHOSTS_PER_BLOCK / 2) {
      ghosts = new GhostEntries((long) blocks * GHOSTS_PER_BLOCK, allocator);
    }
  }

  /** Returns the bytes of ghost entries. */
  long metadataBytes() {
    return ghosts.bytes();
  }

  private int choose(IntPredicate evictable, Returns returns) {
    int candidate = windowIsFull() ? candidate(evictable) : NONE;
    int victim = main.coldest(evictable, period, MAX_EXAMINED, returnsOf(returns));
    if (victim == NONE) {
      return candidate != NONE ? candidate : candidate(evictable);
    }
    if (candidate == NONE) {
      return victim;
    }
    if (!wins(candidate, victim)) {
      return candidate;
    }
    promote(candidate);
    return victim;
  }

  /** Wraps it to keep this segment's sums correct. */
  private Returns returnsOf(Returns returns) {
    if (returns == Returns.NONE) {
      return returns;
    }
    return new Returns() {
      @Override
      public boolean mayReturn(int entry) {
        return returns.mayReturn(entry);
      }

      @Override
      public void take(int entry) {
        mainBytes -= entries.length(entry);
        blocks--;
        returns.take(entry);
      }
    };
  }

  /** Returns whether the next block exceeds the window. */
  private boolean windowIsFull() {
    return blocks > 0 && windowBytes + freed + averageLength() > windowTarget();
  }

  /**
   * Returns whether the candidate was read more often than the victim. A larger candidate displaces
   * several blocks, so it needs more reads per byte.
   */
  private boolean wins(int candidate, int victim) {
    long candidateReads = frequency(candidate);
    long victimReads = frequency(victim) + tuning.margin;
    long larger = Math.max(entries.length(candidate), entries.length(victim));
    return candidateReads * entries.length(victim) > victimReads * larger;
  }

  /** Checks all lists and sums and returns the number of blocks. */
  int validate() {
    int found = window.validate() + main.validate();
    if (found != blocks || window.bytes() != windowBytes || main.bytes() != mainBytes) {
      throw new IllegalStateException(
          ("%d blocks in lists, %d counted; window of %d bytes, %d counted; main of %d bytes, "
                  + "%d counted")
              .formatted(found, blocks, window.bytes(), windowBytes, main.bytes(), mainBytes));
    }
    return found;
  }

  /** Returns the oldest block of the window without a read since its last check. */
  private int candidate(IntPredicate evictable) {
    int oldest = NONE;
    for (int looks = 0; looks < MAX_EXAMINED && !window.isEmpty(); looks++) {
      int entry = window.tail();
      boolean mayLeave = evictable.test(entry);
      if (mayLeave && !Frequency.wasRead(entries.policyWord(entry))) {
        return entry;
      }
      if (mayLeave && oldest == NONE) {
        oldest = entry;
      }
      setFrequency(entry, frequency(entry));
      window.moveToFirst(entry);
    }
    return oldest;
  }

  private void promote(int entry) {
    remove(entry);
    linkToMain(entry);
  }

  private void linkToWindow(int entry) {
    entries.queue(entry, (byte) (entries.queue(entry) | IN_WINDOW));
    window.addFirst(entry);
    windowBytes += entries.length(entry);
    blocks++;
  }

  private void linkToMain(int entry) {
    entries.queue(entry, (byte) (entries.queue(entry) & ~IN_WINDOW));
    main.add(entry, frequency(entry));
    mainBytes += entries.length(entry);
    blocks++;
  }

  private int frequency(int entry) {
    return Frequency.of(entries.policyWord(entry), period);
  }

  private boolean isInWindow(int entry) {
    return (entries.queue(entry) & IN_WINDOW) != 0;
  }

  private void setFrequency(int entry, int frequency) {
    entries.policyWord(entry, Frequency.word(frequency, period));
  }

  private long windowTarget() {
    return (long) (tuning.windowShare * capacity);
  }

  private long averageLength() {
    return bytes() / blocks;
  }
}
