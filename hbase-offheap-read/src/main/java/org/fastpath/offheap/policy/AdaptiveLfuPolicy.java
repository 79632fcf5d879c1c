package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Keeps the most frequently read blocks, and measures the best half-life of frequencies.
 *
 * <p><b>Admission.</b> A new block spends a while in a small window. Then it stays only if it was
 * read more often than the coldest block of the main part (TinyLFU [1]). So a scan displaces
 * nothing. LFU adapts slowly, and the best half-life and window depend on the workload.
 *
 * <p><b>Tuning.</b> Each of four {@link Tuning}s runs in a miniature cache of keys with a sample of
 * the reads, and the best one is used ({@link MiniatureSimulation} [2]). Hill climbing [3] takes
 * noise for results, and set dueling [4] loses a part of the cache. SampledReadLog of sampled
 * blocks are logged without a lock ({@link SampledReadLog}).
 *
 * <p><b>Frequencies.</b> A block counts its reads in its own entry ({@link Frequency}). An evicted
 * block's count is in {@link GhostEntries}, one cache line.
 *
 * <p><b>Comparison.</b> A candidate needs one read more than the victim, because its last read is
 * its own miss; this alone keeps a part of a loop. A larger candidate needs more reads per byte. In
 * the window a burst counts once [5]. {@link FrequencyLevels} finds the victim in constant time.
 *
 * <p><b>In-memory families</b> keep their blocks up to their share, as in HBase.
 *
 * <p>Each call is O(1), except a rare {@link #evict} that allocates ghost entries. Memory: 8 to 32
 * bytes per block, and 4.5 MB. Results in percent of hits, in a cache of 10 % of the table
 * (docs/results/hit-ratio.md):
 *
 * <pre>
 *                            ours  Caffeine    LRU  S3-FIFO  SIEVE  Belady
 *   Zipf 0.99                79.2      77.9   72.5     77.8   77.5    84.6
 *   the same, half scans     76.1      73.2   63.5     76.1   74.7    82.8
 *   loop of twice the cache  49.8      49.2    0.0      0.0    0.0    50.0
 *   hot set that moves       72.7      69.1   71.5     71.9   64.4    82.7
 *   hot set that drifts      67.7      65.6   66.4     66.7   65.3    80.2
 *   only recency             59.2      57.3   59.5     54.4   55.8    76.8
 * </pre>
 *
 * <ol>
 *   <li>Einziger, Friedman, Manes: TinyLFU. ACM Transactions on Storage 13(4), 2017
 *   <li>Waldspurger and others: Miniature Simulations. USENIX ATC 2017
 *   <li>Einziger and others: Adaptive Software Cache Management. Middleware 2018
 *   <li>Qureshi and others: Adaptive Insertion Policies. ISCA 2007
 *   <li>O'Neil, O'Neil, Weikum: LRU-K. SIGMOD 1993
 * </ol>
 */
public final class AdaptiveLfuPolicy implements EvictionPolicy {
  /** Bits of {@link BlockEntries#queue} besides {@link LfuSegment#IN_WINDOW}. */
  private static final int IN_MEMORY = 2;

  private static final int KEPT = 4;

  /** Misses between two checks of the clock of reads. */
  private static final int TICK = 16;

  /** Reads, as a multiple of the blocks in the cache, between two decisions on the tuning. */
  private static final int VERDICT = 4;

  /** The number of examined kept blocks when no other block may be evicted. */
  private static final int MAX_EXAMINED = 16;

  /**
   * The limit of kept blocks that one call releases, so that a resize does not hold the lock for
   * long.
   */
  private static final int RELEASES = 256;

  private final BlockEntries entries;
  private final double inMemoryShare;
  private final SampledReadLog hits;
  private final MiniatureSimulation simulation;
  private final LfuSegment segment;
  private final EntryList kept;
  private long capacity;
  private long keptBytes;
  private int blocks;
  private long misses;
  private long verdictAt;
  private Tuning tuning = Tuning.STEADY;

  // Written under the cache's lock, read by anyone.
  private volatile long rejected;
  private volatile long evictedFromMain;
  private volatile long evictedInMemory;

  /** Keeps in-memory blocks again that had to compete, when there is room for them. */
  private final LfuSegment.Returns returns =
      new LfuSegment.Returns() {
        @Override
        public boolean mayReturn(int entry) {
          return (entries.queue(entry) & IN_MEMORY) != 0
              && keptBytes + entries.length(entry) <= keptTarget();
        }

        @Override
        public void take(int entry) {
          keep(entry);
        }
      };

  /**
   * @param entries with the policy's fields: queue, previous, next and word
   * @param bytes for blocks
   * @param inMemoryShare the part of them for in-memory families
   */
  public AdaptiveLfuPolicy(
      BlockEntries entries, long bytes, double inMemoryShare, MemoryAllocator allocator) {
    this.entries = entries;
    this.inMemoryShare = inMemoryShare;
    hits = new SampledReadLog(allocator);
    simulation = new MiniatureSimulation(allocator);
    kept = new EntryList(entries);
    segment = new LfuSegment(entries, tuning, allocator);
    resize(bytes);
  }

  @Override
  public void recordHit(int entry) {
    Memory slab = entries.slab(entry);
    long hash = KeyHash.of(BlockEntries.file(slab, entry), BlockEntries.offset(slab, entry));
    if (simulation.samples(hash)) {
      hits.addLogged(entry);
    } else {
      hits.add();
    }
    segment.recordHit(slab, entry);
  }

  @Override
  public void add(int entry, boolean inMemory) {
    entries.queue(entry, (byte) (inMemory ? IN_MEMORY : 0));
    blocks++;
    countMiss();
    if (inMemory) {
      segment.recall(entry);
      keep(entry);
      releaseKept();
    } else {
      simulate(entry);
      segment.add(entry);
    }
  }

  @Override
  public void remove(int entry) {
    if (isKept(entry)) {
      removeKept(entry);
    } else {
      segment.remove(entry);
    }
    simulation.remove(entries.file(entry), entries.offset(entry));
    blocks--;
  }

  @Override
  public int evict(IntPredicate evictable) {
    releaseKept();
    simulation.fit(segment.blocks());
    int entry = segment.evict(evictable, returns);
    if (entry == NONE) {
      entry = evictKept(evictable);
    }
    if (entry != NONE) {
      blocks--;
      count(entry);
    }
    return entry;
  }

  private void count(int entry) {
    int queue = entries.queue(entry);
    if ((queue & IN_MEMORY) != 0) {
      evictedInMemory = evictedInMemory + 1;
    } else if ((queue & LfuSegment.IN_WINDOW) != 0) {
      rejected = rejected + 1;
    } else {
      evictedFromMain = evictedFromMain + 1;
    }
  }

  private void countMiss() {
    misses++;
    if (misses % TICK == 0) {
      hits.drain(this::simulate);
      tick(hits.sum() + misses);
    }
  }

  private void tick(long reads) {
    segment.advance(reads);
    if (reads >= verdictAt) {
      verdictAt = reads + (long) VERDICT * blocks;
      tuning = simulation.decide();
      segment.tuning(tuning);
    }
  }

  private void simulate(int entry) {
    if (!isKept(entry)) {
      simulation.read(entries.file(entry), entries.offset(entry), entries.length(entry));
    }
  }

  private void keep(int entry) {
    entries.queue(entry, (byte) (entries.queue(entry) & ~LfuSegment.IN_WINDOW | KEPT));
    kept.addFirst(entry);
    keptBytes += entries.length(entry);
    share();
  }

  private void removeKept(int entry) {
    entries.queue(entry, (byte) (entries.queue(entry) & ~KEPT));
    kept.remove(entry);
    keptBytes -= entries.length(entry);
    share();
  }

  /** Releases in-memory blocks beyond their share, the oldest first. They compete like others. */
  private void releaseKept() {
    for (int i = 0; i < RELEASES && keptBytes > keptTarget(); i++) {
      int entry = kept.tail();
      removeKept(entry);
      segment.addToMain(entry);
    }
  }

  private int evictKept(IntPredicate evictable) {
    for (int looks = 0; looks < MAX_EXAMINED && !kept.isEmpty(); looks++) {
      int entry = kept.tail();
      if (evictable.test(entry)) {
        segment.remember(entry);
        removeKept(entry);
        return entry;
      }
      kept.moveToFirst(entry);
    }
    return NONE;
  }

  @Override
  public void resize(long bytes) {
    capacity = bytes;
    share();
    releaseKept();
  }

  /** Gives the room that kept blocks leave to the others. */
  private void share() {
    long shared = Math.max(0, capacity - keptBytes);
    segment.capacity(shared);
    simulation.capacity(shared);
  }

  private long keptTarget() {
    return (long) (inMemoryShare * capacity);
  }

  private boolean isKept(int entry) {
    return (entries.queue(entry) & KEPT) != 0;
  }

  @Override
  public long metadataBytes() {
    return segment.metadataBytes() + simulation.bytes() + hits.bytes();
  }

  @Override
  public void validate() {
    simulation.validate();
    int found = kept.validate() + segment.validate();
    if (found != blocks || kept.bytes() != keptBytes || keptBytes > keptTarget()) {
      throw new IllegalStateException(
          "%d blocks in lists, %d counted; %d bytes kept, %d counted, %d allowed"
              .formatted(found, blocks, kept.bytes(), keptBytes, keptTarget()));
    }
  }

  @Override
  public long rejected() {
    return rejected;
  }

  @Override
  public long evictedFromMain() {
    return evictedFromMain;
  }

  @Override
  public long evictedInMemory() {
    return evictedInMemory;
  }

  Tuning tuning() {
    return tuning;
  }
}
