package org.fastpath.zcr;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mappings of the process, by block: all streams of all file systems share them. Their number
 * and bytes are bounded, counting those that were retired and are still held.
 *
 * <p>Streams remember the mappings that they use, so that nothing here is on the way of a read that
 * finds its block mapped. When there is no room, the block that was not in use for the longest time
 * leaves. A mapping that left stays for a grace, beyond the limits, for readers that are late: at
 * most {@link Graves#PART} of what may be mapped does. Replacement is rationed: mapping a block
 * costs as much as some reads of it by the stock way, and when more blocks are read at random than
 * may be mapped, most of them are read that way.
 *
 * <p>Once a second, or more often if the idle time is short, all are looked at: those whose
 * DataNode wants its memory back or has gone are retired, and those that nobody reads. Safe from
 * any thread.
 */
final class Mappings implements Mapping.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(Mappings.class);

  private static final long LONGEST_PERIOD_MILLIS = 1000;
  private static final long SHORTEST_PERIOD_MILLIS = 50;
  private static final int REPLACEMENTS_PER_PERIOD = 100;
  private static final int REPLACEMENT_ATTEMPTS = 4;

  private static volatile Mappings shared;

  /** Where a block is mapped from. */
  @FunctionalInterface
  interface Source {
    /** Finds a replica of it, or says by an exception why there is none to map. */
    MappableReplica find() throws IOException, NotMappedException;
  }

  private final ZeroCopyOptions options;
  private final ConcurrentHashMap<ExtendedBlockId, Mapping> mappings = new ConcurrentHashMap<>();
  private final Graves graves;
  private final AtomicInteger replacements = new AtomicInteger(REPLACEMENTS_PER_PERIOD);
  private ScheduledExecutorService sweeper;
  private int users;
  private int reservedMappings;
  private long reservedBytes;
  private volatile boolean closed;

  Mappings(ZeroCopyOptions options) {
    this.options = options;
    graves = new Graves(options);
  }

  // The one of the process.

  /**
   * The mappings of the process, for one more file system; it gives them back by {@link #leave}.
   */
  static synchronized Mappings join(ZeroCopyOptions options) {
    if (shared == null) {
      shared = new Mappings(options);
      shared.startSweeper();
      ZeroCopyMetrics.register();
    } else if (!shared.options.sameLimits(options)) {
      LOG.warn(
          "Mappings are shared by the process: {} stay, {} of another file system are not applied",
          shared.options,
          options);
    }
    shared.users++;
    return shared;
  }

  /** Ends what {@link #join} began; with the last file system all mappings end. */
  void leave() {
    synchronized (Mappings.class) {
      users--;
      if (users > 0) {
        return;
      }
      shared = null;
    }
    close();
  }

  private void startSweeper() {
    long quarter = options.idleMillis() / 4;
    long period = Math.max(SHORTEST_PERIOD_MILLIS, Math.min(LONGEST_PERIOD_MILLIS, quarter));
    sweeper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "zero-copy-mappings");
              thread.setDaemon(true);
              return thread;
            });
    sweeper.scheduleWithFixedDelay(this::sweepSafely, period, period, TimeUnit.MILLISECONDS);
  }

  /** Retires all; what is held ends when its readers do. */
  void close() {
    closed = true;
    if (sweeper != null) {
      sweeper.shutdownNow();
    }
    mappings.values().forEach(mapping -> mapping.retire(Retirement.CLOSED));
    graves.close();
  }

  // Mapping a block.

  /** The mapping of a block, pinned, or null if there is none that will do. */
  Mapping pin(BlockVersion block, boolean anchoredOnly, long length) {
    Mapping mapping = mappings.get(block.id());
    boolean serves =
        mapping != null && mapping.block().equals(block) && mapping.serves(anchoredOnly, length);
    return serves && mapping.pin() ? mapping : null;
  }

  /**
   * Maps a block if there is room, or room can be made. No other leaves for a block that turns out
   * not to be for mapping, and a DataNode is not asked for one that none can leave for.
   *
   * @return its mapping, pinned; one that another thread made meanwhile, if there is one
   */
  Mapping map(BlockVersion block, long bytes, Source source)
      throws IOException, NotMappedException {
    supersedeOlder(block);
    if (!mayReserve(bytes)) {
      throw Fallback.LIMIT.exception();
    }
    try (MappableReplica replica = source.find()) {
      reserve(bytes);
      return publish(new Mapping(block, map(replica, bytes), bytes, System.nanoTime(), this));
    }
  }

  /** A stream that was opened before the block changed is served the stock way. */
  private void supersedeOlder(BlockVersion block) throws NotMappedException {
    Mapping other = mappings.get(block.id());
    if (other == null) {
      return;
    }
    if (other.block().generation() > block.generation()) {
      throw Fallback.UNMAPPABLE.exception();
    }
    if (other.block().generation() < block.generation()) {
      other.supersede();
    }
  }

  /** Maps in reserved room, which is given back if that cannot be done. */
  private MappedReplica map(MappableReplica replica, long bytes) throws NotMappedException {
    MappedReplica mapped = null;
    try {
      mapped = replica.map();
    } finally {
      if (mapped == null) {
        giveBack(bytes);
      }
    }
    ZeroCopyMetrics.mapped(bytes);
    return mapped;
  }

  private Mapping publish(Mapping fresh) {
    for (Mapping other = mappings.putIfAbsent(fresh.block().id(), fresh);
        other != null;
        other = mappings.putIfAbsent(fresh.block().id(), fresh)) {
      boolean serves =
          other.block().equals(fresh.block()) && other.serves(fresh.isAnchored(), fresh.length());
      if (serves && other.pin()) {
        fresh.retire(Retirement.SUPERSEDED);
        fresh.unpin();
        return other;
      }
      other.retire(Retirement.SUPERSEDED);
      mappings.remove(other.block().id(), other);
    }
    if (closed) {
      fresh.retire(Retirement.CLOSED);
    }
    return fresh;
  }

  /** Whether there is room, or the ration of replacements is not used up. */
  private boolean mayReserve(long bytes) {
    return bytes <= options.maxMappedBytes() && (replacements.get() > 0 || hasRoom(bytes));
  }

  private void reserve(long bytes) throws NotMappedException {
    while (!tryReserve(bytes)) {
      if (!replaceOne()) {
        throw Fallback.LIMIT.exception();
      }
    }
  }

  private synchronized boolean hasRoom(long bytes) {
    return reservedMappings < options.maxMappings()
        && reservedBytes + bytes <= options.maxMappedBytes();
  }

  private synchronized boolean tryReserve(long bytes) {
    if (!hasRoom(bytes)) {
      return false;
    }
    reservedMappings++;
    reservedBytes += bytes;
    return true;
  }

  private synchronized void giveBack(long bytes) {
    reservedMappings--;
    reservedBytes -= bytes;
  }

  private boolean replaceOne() {
    if (replacements.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
      return false;
    }
    for (int i = 0; i < REPLACEMENT_ATTEMPTS; i++) {
      Mapping victim = leastRecent();
      if (victim == null) {
        return false;
      }
      if (victim.retireUnused(Retirement.REPLACED)) {
        return true;
      }
    }
    return false;
  }

  private Mapping leastRecent() {
    Mapping least = null;
    for (Mapping mapping : mappings.values()) {
      if (mapping.pins() == 0 && (least == null || goesBefore(mapping, least))) {
        least = mapping;
      }
    }
    return least;
  }

  private static boolean goesBefore(Mapping a, Mapping b) {
    return a.isRecent() == b.isRecent() ? a.lastUseNanos() - b.lastUseNanos() < 0 : b.isRecent();
  }

  // Looking after them.

  private void sweepSafely() {
    try {
      sweep(System.nanoTime());
    } catch (RuntimeException e) {
      LOG.warn("Mappings were not looked after this time", e);
    }
  }

  void sweep(long nowNanos) {
    graves.sweep(nowNanos);
    replacements.set(REPLACEMENTS_PER_PERIOD);
    long idleNanos = TimeUnit.MILLISECONDS.toNanos(options.idleMillis());
    for (Mapping mapping : mappings.values()) {
      mapping.check();
      if (nowNanos - mapping.observe(nowNanos) > idleNanos) {
        mapping.retireUnused(Retirement.IDLE);
      }
    }
  }

  @Override
  public void retired(Mapping mapping, Retirement why, boolean held) {
    mappings.remove(mapping.block().id(), mapping);
    ZeroCopyMetrics.retired(why, held);
  }

  @Override
  public void unused(Mapping mapping, boolean held) {
    giveBack(mapping.reserved());
    graves.bury(mapping, held, System.nanoTime());
  }

  @Override
  public boolean poisons() {
    return options.debug();
  }

  // What metrics and tests ask.

  Collection<Mapping> all() {
    return mappings.values();
  }

  synchronized int reservedMappings() {
    return reservedMappings;
  }

  synchronized long reservedBytes() {
    return reservedBytes;
  }

  static Mappings current() {
    return shared;
  }
}
