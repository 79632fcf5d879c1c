package org.fastpath.bench.simulators.hitratio;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.fastpath.offheap.policy.PolicySimulation;

/** The compared policies. */
enum Contender {
  OURS("ours", "AdaptiveLfuPolicy of hbase-offheap-read", FastpathPolicy::new),
  CAFFEINE("Caffeine", "W-TinyLFU, the library", CaffeinePolicy::new),
  LRU("LRU", "what BucketCache comes near to", LruPolicy::new),
  S3_FIFO("S3-FIFO", "written from the paper", S3FifoPolicy::new),
  SIEVE("SIEVE", "written from the paper", SievePolicy::new),
  BELADY("Belady", "the optimum, which knows what will be read", BeladyPolicy::new);

  final String title;
  final String description;
  private final BiFunction<Trace, Long, Policy> maker;

  /** A cache of blocks by number, with their lengths and its free space in bytes. */
  abstract static class Policy {
    final int[] lengths;
    long free;

    Policy(Trace trace, long capacity) {
      lengths = trace.lengths();
      free = capacity;
    }

    /** Caches a block unless the policy refuses it; returns whether it was cached before. */
    abstract boolean read(int block);
  }

  Contender(String title, String description, BiFunction<Trace, Long, Policy> maker) {
    this.title = title;
    this.description = description;
    this.maker = maker;
  }

  /** Replays a trace in a cache of that size; returns hits in percent of reads that count. */
  double hitRatio(Trace trace, long bytes, int warmUp) {
    Policy policy = maker.apply(trace, bytes);
    long hits = 0;
    long counted = 0;
    for (int i = 0; i < trace.reads().length; i++) {
      boolean hit = policy.read(trace.reads()[i]);
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
  private static final class SievePolicy extends Policy {
    private final boolean[] cached;
    private final boolean[] read;

    /** The neighbours of a block in a ring, which goes from {@code ends} to the oldest block. */
    private final int[] newer;

    private final int[] older;
    private final int ends;
    private int hand;

    SievePolicy(Trace trace, long capacity) {
      super(trace, capacity);
      ends = trace.blocks();
      cached = new boolean[ends];
      read = new boolean[ends + 1];
      newer = new int[ends + 1];
      older = new int[ends + 1];
      hand = ends;
      link(ends, ends);
    }

    @Override
    boolean read(int block) {
      if (cached[block]) {
        read[block] = true;
        return true;
      }
      while (free < lengths[block]) {
        evict();
      }
      link(older[ends], block);
      link(block, ends);
      cached[block] = true;
      free -= lengths[block];
      return false;
    }

    private void evict() {
      int block = hand;
      while (block == ends || read[block]) {
        read[block] = false;
        block = newer[block];
      }
      hand = newer[block];
      link(older[block], newer[block]);
      cached[block] = false;
      free += lengths[block];
    }

    private void link(int old, int young) {
      newer[old] = young;
      older[young] = old;
    }
  }

  /** W-TinyLFU by the library, with deferred work done at once. */
  private static final class CaffeinePolicy extends Policy {
    private final Cache<Integer, Integer> cache;

    CaffeinePolicy(Trace trace, long capacity) {
      super(trace, capacity);
      cache =
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(capacity)
              .weigher((Integer block, Integer length) -> length)
              .build();
    }

    @Override
    boolean read(int block) {
      boolean hit = cache.getIfPresent(block) != null;
      if (!hit) {
        cache.put(block, lengths[block]);
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
  private static final class BeladyPolicy extends Policy {
    private final int[] nextReads;
    private final int[] cachedUntil;
    private final TreeSet<Long> byNextRead = new TreeSet<>();
    private int place;

    BeladyPolicy(Trace trace, long capacity) {
      super(trace, capacity);
      cachedUntil = new int[trace.blocks()];
      Arrays.fill(cachedUntil, -1);
      nextReads = new int[trace.reads().length];
      int[] next = new int[trace.blocks()];
      Arrays.fill(next, Integer.MAX_VALUE);
      for (int i = nextReads.length - 1; i >= 0; i--) {
        int block = trace.reads()[i];
        nextReads[i] = next[block];
        next[block] = i;
      }
    }

    @Override
    boolean read(int block) {
      boolean hit = cachedUntil[block] >= 0;
      if (hit) {
        byNextRead.remove(key(block));
      } else {
        free -= lengths[block];
      }
      cachedUntil[block] = nextReads[place++];
      byNextRead.add(key(block));
      while (free < 0) {
        int last = byNextRead.pollLast().intValue();
        cachedUntil[last] = -1;
        free += lengths[last];
      }
      return hit;
    }

    private long key(int block) {
      return (long) cachedUntil[block] << 32 | block;
    }
  }

  private static final class FastpathPolicy extends Policy {
    private static final int NONE = -1;

    private final PolicySimulation policy;
    private final int[] entries;
    private final int[] blocks;

    FastpathPolicy(Trace trace, long capacity) {
      super(trace, capacity);
      policy = new PolicySimulation(capacity, trace.blocks());
      entries = new int[trace.blocks()];
      blocks = new int[trace.blocks() + 1];
      Arrays.fill(entries, NONE);
    }

    @Override
    boolean read(int block) {
      if (entries[block] != NONE) {
        policy.hit(entries[block]);
        return true;
      }
      int length = lengths[block];
      for (int gone = policy.evictFor(length); gone != NONE; gone = policy.evictFor(length)) {
        entries[blocks[gone]] = NONE;
      }
      entries[block] = policy.add(0, block, length);
      blocks[entries[block]] = block;
      return false;
    }
  }

  private static final class LruPolicy extends Policy {
    private final Map<Integer, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);

    LruPolicy(Trace trace, long capacity) {
      super(trace, capacity);
    }

    @Override
    boolean read(int block) {
      if (blocks.get(block) != null) {
        return true;
      }
      Iterator<Integer> eldest = blocks.values().iterator();
      while (free < lengths[block]) {
        free += eldest.next();
        eldest.remove();
      }
      blocks.put(block, lengths[block]);
      free -= lengths[block];
      return false;
    }
  }
}
