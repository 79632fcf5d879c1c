package org.fastpath.offheap.policy;

import static org.fastpath.offheap.index.BlockEntries.NONE;

import java.util.function.IntPredicate;
import org.fastpath.offheap.index.BlockEntries;
import org.fastpath.offheap.index.KeyHash;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;

/**
 * Keeps what is read most often, and measures how long "often" should be remembered.
 *
 * <p><b>The idea.</b> On the reads of a database the frequency of a block says more about its next
 * read than its recency, and a scan, whose blocks are read once, must not displace anything. So a
 * block that comes in spends a while in a small window, and then duels with the block of the main
 * part that was read least: it stays only if it was read more often (TinyLFU [1]). LFU's weakness
 * is that it learns slowly when the workload moves. How fast it must forget, and how large the
 * window must be, depends on the workload: no half-life is good for all, and for some LRU is best.
 *
 * <p><b>Measuring.</b> Each of four {@link Tuning}s runs in a miniature cache of keys, which sees a
 * sample of the reads and is smaller by the same factor; the cache does what the one does that
 * misses least ({@link MiniatureSimulation} [2]). TinyLFU's library moves the size of its window by
 * hill climbing instead [3]; that compares one moment with the next, so that noise and the
 * workload's own changes pass for results. Set dueling [4] tries settings in parts of the cache
 * itself; that needs no keys of blocks that are not cached, but a part that tries the wrong one is
 * lost, as any part that is LRU is to a loop, and its luck is not the other part's. Here all see
 * the same reads, nothing is lost, and a small cache is not divided: it is sampled whole. Keys of
 * some thousand blocks are all that it costs, and one call in many: a cache of 16,000 blocks
 * samples an eighth of its reads, one of a million every five-hundredth.
 *
 * <p>Readers take no lock, so hits of sampled blocks are logged ({@link Hits}), and a miss now and
 * then, which has the lock, tells them to the miniature caches.
 *
 * <p><b>Counting.</b> A sketch of all blocks costs every hit four cache misses, and collisions.
 * Here a resident block counts its reads in its own entry ({@link Frequency}), whose cache line the
 * reader has anyway to pin the block; only when it leaves is the count put aside in {@link
 * GhostEntries}, one cache line, and taken from there if the block comes back. Counts are exact,
 * have fractions when they are halved, and are halved lazily. A count that is at its highest is not
 * written.
 *
 * <p><b>The duel.</b> A candidate's last read is the miss that brought it in; a victim has had no
 * chance to be read at that moment. So the candidate must have one read more (half a read in a
 * tuning that forgets soon). In a loop larger than the cache, where all blocks are equal, this
 * alone keeps a part of the loop in the cache: without it nothing of a loop of twice the cache
 * stays. A larger candidate, which displaces several blocks in the end, must have been read more
 * often per byte. In the window a burst counts as one read, because rows of one block are often
 * read one after the other [5].
 *
 * <p><b>Finding the victim.</b> {@link FrequencyLevels}: lists by powers of two, put right lazily,
 * an eviction looks at a bounded number of blocks, and a period ends by moving sixteen pointers.
 * The window is a queue with a second chance.
 *
 * <p><b>In-memory families.</b> As in HBase: their blocks are kept while together they take no more
 * than their share. Beyond it the oldest of them compete as any other block, and are kept again as
 * soon as there is room.
 *
 * <p>Each call is O(1), but that of {@link #evict} which finds that the number of blocks has
 * changed by a factor, and gets memory for more ghosts or samples other blocks. Memory: 8 to 32
 * bytes of ghosts a block, and 4.5 MB for the miniature caches and the log of hits.
 *
 * <p><b>Measured</b> by {@code bin/fastpath hit-ratio}, percent of hits in a cache of 10 % of the
 * table; all traces and sizes are in docs/results/hit-ratio.md.
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
 *   <li>G. Einziger, R. Friedman, B. Manes: TinyLFU: A Highly Efficient Cache Admission Policy. ACM
 *       Transactions on Storage 13 (4), 2017.
 *   <li>C. Waldspurger, T. Saemundsson, I. Ahmad, N. Park: Cache Modeling and Optimization using
 *       Miniature Simulations. USENIX ATC 2017.
 *   <li>G. Einziger, O. Eytan, R. Friedman, B. Manes: Adaptive Software Cache Management.
 *       Middleware 2018.
 *   <li>M. Qureshi, A. Jaleel, Y. Patt, S. Steely, J. Emer: Adaptive Insertion Policies for High
 *       Performance Caching. ISCA 2007.
 *   <li>E. O'Neil, P. O'Neil, G. Weikum: The LRU-K Page Replacement Algorithm for Database Disk
 *       Buffering. SIGMOD 1993.
 * </ol>
 */
public final class AdaptiveLfuPolicy implements EvictionPolicy {
  /** Bits of {@link BlockEntries#queue} besides {@link LfuSegment#IN_WINDOW}. */
  private static final int IN_MEMORY = 2;

  private static final int KEPT = 4;

  /** Misses between two looks at the clock of reads. */
  private static final int TICK = 16;

  /** Reads, as a multiple of the blocks in the cache, between two verdicts on the tuning. */
  private static final int VERDICT = 4;

  /** How many kept blocks are asked when nothing else may leave. */
  private static final int LOOKS = 16;

  /** How many kept blocks one call lets go, so that another size does not keep the lock. */
  private static final int RELEASES = 256;

  private final BlockEntries entries;
  private final double inMemoryShare;
  private final Hits hits;
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

  /** In-memory blocks that had to compete are kept again when there is room for them. */
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
   * @param entries of which it uses queue, previous, next and the policy's word
   * @param bytes that blocks may take
   * @param inMemoryShare the part of them in which blocks of in-memory families are kept
   */
  public AdaptiveLfuPolicy(
      BlockEntries entries, long bytes, double inMemoryShare, MemoryAllocator allocator) {
    this.entries = entries;
    this.inMemoryShare = inMemoryShare;
    hits = new Hits(allocator);
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

  /** What is over the share of in-memory blocks competes like others, the oldest first. */
  private void releaseKept() {
    for (int i = 0; i < RELEASES && keptBytes > keptTarget(); i++) {
      int entry = kept.tail();
      removeKept(entry);
      segment.addToMain(entry);
    }
  }

  private int evictKept(IntPredicate evictable) {
    for (int looks = 0; looks < LOOKS && !kept.isEmpty(); looks++) {
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

  /** What kept blocks leave is for the others. */
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
