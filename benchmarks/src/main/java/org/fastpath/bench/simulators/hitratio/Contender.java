package org.fastpath.bench.simulators.hitratio;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.fastpath.offheap.policy.PolicySimulation;

/** The compared policies. */
enum Contender {
  OURS("ours", "AdaptiveLfuPolicy of hbase-offheap-read", FastpathPolicy::new),
  CAFFEINE("Caffeine", "W-TinyLFU, the library", (trace, bytes) -> new CaffeinePolicy(bytes)),
  LRU("LRU", "what BucketCache comes near to", (trace, bytes) -> new LruPolicy(bytes)),
  S3_FIFO("S3-FIFO", "written from the paper", (trace, bytes) -> new S3FifoPolicy(bytes)),
  SIEVE("SIEVE", "written from the paper", (trace, bytes) -> new SievePolicy(bytes)),
  BELADY("Belady", "the optimum, which knows what will be read", BeladyPolicy::new);

  private final String title;
  private final String description;
  private final BiFunction<Trace, Long, CachePolicy> maker;

  Contender(String title, String description, BiFunction<Trace, Long, CachePolicy> maker) {
    this.title = title;
    this.description = description;
    this.maker = maker;
  }

  String title() {
    return title;
  }

  String description() {
    return description;
  }

  /**
   * Replays a trace.
   *
   * @param bytes the cache's size
   * @param warmUp reads at the beginning that do not count
   * @return hits in percent of the reads that count
   */
  double hitRatio(Trace trace, long bytes, int warmUp) {
    CachePolicy policy = maker.apply(trace, bytes);
    long hits = 0;
    long counted = 0;
    for (int i = 0; i < trace.reads().length; i++) {
      int block = trace.reads()[i];
      boolean hit = policy.read(block, trace.lengths()[block]);
      if (i >= warmUp && trace.counts(i)) {
        counted++;
        hits += hit ? 1 : 0;
      }
    }
    return counted == 0 ? 0 : 100.0 * hits / counted;
  }

  /**
   * SIEVE: a queue in order of arrival, with one bit for a block that was read. A hand moves from
   * old to new blocks, clears set bits, and evicts the first block without one (Zhang and others,
   * NSDI'24).
   */
  static final class SievePolicy implements CachePolicy {
    private final long capacity;
    private final Map<Integer, Node> blocks = new HashMap<>();
    private final Node ends = new Node(-1, 0);
    private Node hand = ends;
    private long used;

    private static final class Node {
      final int block;
      final int length;
      boolean read;
      Node newer = this;
      Node older = this;

      Node(int block, int length) {
        this.block = block;
        this.length = length;
      }
    }

    SievePolicy(long capacity) {
      this.capacity = capacity;
    }

    @Override
    public boolean read(int block, int length) {
      Node node = blocks.get(block);
      if (node != null) {
        node.read = true;
        return true;
      }
      while (used + length > capacity) {
        evict();
      }
      add(new Node(block, length));
      return false;
    }

    private void add(Node node) {
      node.older = ends.older;
      node.newer = ends;
      ends.older.newer = node;
      ends.older = node;
      blocks.put(node.block, node);
      used += node.length;
    }

    /** The ring goes from {@code ends} to the oldest block by {@code newer}. */
    private void evict() {
      Node node = hand;
      while (node == ends || node.read) {
        node.read = false;
        node = node.newer;
      }
      hand = node.newer;
      node.older.newer = node.newer;
      node.newer.older = node.older;
      blocks.remove(node.block);
      used -= node.length;
    }
  }

  /** W-TinyLFU by the library, with deferred work done at once. */
  static final class CaffeinePolicy implements CachePolicy {
    private final Cache<Integer, Integer> cache;

    CaffeinePolicy(long capacity) {
      cache =
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(capacity)
              .weigher((Integer block, Integer length) -> length)
              .build();
    }

    @Override
    public boolean read(int block, int length) {
      boolean hit = cache.getIfPresent(block) != null;
      if (!hit) {
        cache.put(block, length);
      }
      cache.cleanUp();
      return hit;
    }
  }

  /**
   * The optimum for blocks of one size: evicts, or does not admit, the block whose next read is
   * last (Belady, 1966). It knows the trace in advance. Reads of scans count like others. With
   * blocks of several sizes it is a good bound but not the optimum.
   */
  static final class BeladyPolicy implements CachePolicy {
    private static final int NEVER = Integer.MAX_VALUE;

    private final long capacity;
    private final int[] nextReads;
    private final int[] lengths;
    private final int[] cachedUntil;
    private final TreeSet<Long> byNextRead = new TreeSet<>();
    private int place;
    private long used;

    BeladyPolicy(Trace trace, long capacity) {
      this.capacity = capacity;
      lengths = trace.lengths();
      cachedUntil = new int[trace.blocks()];
      Arrays.fill(cachedUntil, -1);
      nextReads = new int[trace.reads().length];
      int[] next = new int[trace.blocks()];
      Arrays.fill(next, NEVER);
      for (int i = nextReads.length - 1; i >= 0; i--) {
        int block = trace.reads()[i];
        nextReads[i] = next[block];
        next[block] = i;
      }
    }

    @Override
    public boolean read(int block, int length) {
      boolean hit = cachedUntil[block] >= 0;
      if (hit) {
        byNextRead.remove(key(cachedUntil[block], block));
      } else {
        used += length;
      }
      cachedUntil[block] = nextReads[place++];
      byNextRead.add(key(cachedUntil[block], block));
      while (used > capacity) {
        int last = byNextRead.pollLast().intValue();
        cachedUntil[last] = -1;
        used -= lengths[last];
      }
      return hit;
    }

    private static long key(int nextRead, int block) {
      return (long) nextRead << 32 | block;
    }
  }

  /** Our policy: the class of the cache. */
  static final class FastpathPolicy implements CachePolicy {
    private static final int NONE = -1;

    private final PolicySimulation policy;
    private final int[] entries;
    private final int[] blocks;

    FastpathPolicy(Trace trace, long capacity) {
      policy = new PolicySimulation(capacity, trace.blocks());
      entries = new int[trace.blocks()];
      blocks = new int[trace.blocks() + 1];
      Arrays.fill(entries, NONE);
    }

    @Override
    public boolean read(int block, int length) {
      if (entries[block] != NONE) {
        policy.hit(entries[block]);
        return true;
      }
      for (int gone = policy.evictFor(length); gone != NONE; gone = policy.evictFor(length)) {
        entries[blocks[gone]] = NONE;
      }
      int entry = policy.add(0, block, length);
      entries[block] = entry;
      blocks[entry] = block;
      return false;
    }
  }

  /** Least recently used. */
  static final class LruPolicy implements CachePolicy {
    private final long capacity;
    private final Map<Integer, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);
    private long used;

    LruPolicy(long capacity) {
      this.capacity = capacity;
    }

    @Override
    public boolean read(int block, int length) {
      if (blocks.get(block) != null) {
        return true;
      }
      Iterator<Integer> eldest = blocks.values().iterator();
      while (used + length > capacity) {
        used -= eldest.next();
        eldest.remove();
      }
      blocks.put(block, length);
      used += length;
      return false;
    }
  }
}
