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
 * The mappings of the process, by block. All streams of all file systems share them. Their number
 * and bytes are limited, including retired ones that are still held.
 *
 * <p>Streams remember their mappings, so a read of a mapped block does not use this class. If there
 * is no room, the least recently used block is replaced. A replaced mapping stays for a grace
 * period beyond the limits, for late readers; {@link GraceQueue#PART} limits these. Replacement is
 * rationed, because mapping a block costs as much as several stock reads. If random reads touch
 * more blocks than may be mapped, most of them are stock reads.
 *
 * <p>A sweep runs once a second, or more often if the idle time is short. It retires idle mappings,
 * and those whose DataNode has gone or wants its memory back. Thread-safe.
 */
final class Mappings implements Mapping.Owner {
  private static final Logger LOG = LoggerFactory.getLogger(Mappings.class);

  private static final long MAX_PERIOD_MILLIS = 1000;
  private static final long MIN_PERIOD_MILLIS = 50;
  private static final int REPLACEMENTS_PER_PERIOD = 100;
  private static final int REPLACEMENT_ATTEMPTS = 4;

  private static volatile Mappings shared;

  /** Finds the replica of a block. */
  @FunctionalInterface
  interface Source {
    /** Returns a replica, or throws the reason why none can be mapped. */
    MappableReplica find() throws IOException, NotMappedException;
  }

  private final ZeroCopyOptions options;
  private final ConcurrentHashMap<ExtendedBlockId, Mapping> mappings = new ConcurrentHashMap<>();
  private final GraceQueue graceQueue;
  private final AtomicInteger replacements = new AtomicInteger(REPLACEMENTS_PER_PERIOD);
  private ScheduledExecutorService sweeper;
  private int users;
  private int reservedMappings;
  private long reservedBytes;
  private volatile boolean closed;

  Mappings(ZeroCopyOptions options) {
    this.options = options;
    graceQueue = new GraceQueue(options);
  }

  // The one of the process.

  /**
   * Returns the mappings of the process for one more file system, which calls {@link #leave} at its
   * end.
   */
  static synchronized Mappings join(ZeroCopyOptions options) {
    if (shared == null) {
      Mappings made = new Mappings(options);
      made.startSweeper();
      shared = made;
      ZeroCopyMetrics.register();
    } else if (!shared.options.sameLimits(options)) {
      LOG.warn(
          "All file systems of the process share one set of mappings: {} stay, {} of another "
              + "file system are ignored",
          shared.options,
          options);
    }
    shared.users++;
    return shared;
  }

  /** Ends the use by one file system. The last one ends all mappings. */
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
    long period = Math.max(MIN_PERIOD_MILLIS, Math.min(MAX_PERIOD_MILLIS, quarter));
    sweeper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "zero-copy-mappings");
              thread.setDaemon(true);
              return thread;
            });
    sweeper.scheduleWithFixedDelay(this::sweepSafely, period, period, TimeUnit.MILLISECONDS);
  }

  /** Retires all mappings. Held ones end with their readers. */
  void close() {
    closed = true;
    if (sweeper != null) {
      sweeper.shutdownNow();
    }
    mappings.values().forEach(mapping -> mapping.retire(Retirement.CLOSED));
    graceQueue.close();
  }

  // Mapping a block.

  /** Returns the pinned mapping of a block, or null if there is no suitable one. */
  Mapping pin(BlockVersion block, boolean anchoredOnly, long length) {
    Mapping mapping = mappings.get(block.id());
    boolean serves =
        mapping != null && mapping.block().equals(block) && mapping.serves(anchoredOnly, length);
    return serves && mapping.pin() ? mapping : null;
  }

  /**
   * Maps a block if there is room or another block can be replaced. No block is replaced for one
   * that cannot be mapped. The DataNode is not asked if no block can be replaced.
   *
   * @return its pinned mapping; one of another thread if that was faster
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

  /**
   * Retires mappings of older generations. A stream that was opened before the change reads the
   * stock way.
   */
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

  /** Maps in reserved room, and releases the room after a failure. */
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

  /** Returns whether there is room, or a replacement is still allowed. */
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
      if (mapping.pins() == 0 && (least == null || isBetter(mapping, least))) {
        least = mapping;
      }
    }
    return least;
  }

  private static boolean isBetter(Mapping a, Mapping b) {
    return a.isRecent() == b.isRecent() ? a.lastUseNanos() - b.lastUseNanos() < 0 : b.isRecent();
  }

  // Looking after them.

  private void sweepSafely() {
    try {
      sweep(System.nanoTime());
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.warn("The sweep of mappings failed; the next one tries again", e);
    }
  }

  void sweep(long nowNanos) {
    graceQueue.sweep(nowNanos);
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
    graceQueue.add(mapping, held, System.nanoTime());
  }

  @Override
  public boolean poisons() {
    return options.debug();
  }

  // Methods for metrics and tests.

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
