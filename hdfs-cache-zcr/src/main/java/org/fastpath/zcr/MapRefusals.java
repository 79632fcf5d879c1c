package org.fastpath.zcr;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a kernel that refuses to map, for example because the process has {@code
 * vm.max_map_count} maps. Thread-safe.
 *
 * <p>A failed attempt costs a full garbage collection, which the JDK runs before it retries. Many
 * unmapped blocks would cause one after the other. So after a refusal, no attempt is made for
 * {@code dfs.client.mmap.retry.timeout.ms}.
 *
 * <p>The same replica is never tried again. Hadoop bug: a retry after the timeout loops for ever
 * and holds the cache's lock (ShortCircuitCache.getOrCreateClientMmap). So the replica is made
 * invalid. It leaves the cache with its last user, and the next user gets another one from the
 * DataNode.
 */
final class MapRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(MapRefusals.class);
  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private static volatile long untilNanos = System.nanoTime();

  private MapRefusals() {}

  /** Returns whether the last refusal is so recent that no attempt should be made. */
  static boolean isRecent() {
    return System.nanoTime() - untilNanos < 0;
  }

  /** Reports a replica that could not be mapped. The caller still holds its reference. */
  static void refused(ShortCircuitReplica replica, long pauseMillis) {
    replica.getSlot().makeInvalid();
    // A closed channel is the reason: its thread was interrupted.
    if (!replica.getDataStream().getChannel().isOpen()) {
      return;
    }
    untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    if (LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "The kernel refuses to map a block, so no further block is mapped for {} ms. Set "
              + "vm.max_map_count higher or {} lower",
          pauseMillis,
          ZeroCopyOptions.MAX_MAPPINGS);
    }
  }
}
