package org.fastpath.zcr;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the kernel refuses to map, as it does when the process has as many maps as
 * {@code vm.max_map_count} allows. Safe from any thread.
 *
 * <p>An attempt that fails costs a full garbage collection, which the JDK makes before it tries
 * again: blocks that are read and cannot be mapped would cost one after the other. So after a
 * refusal nobody tries for as long as {@code dfs.client.mmap.retry.timeout.ms} says.
 *
 * <p>Nobody ever tries again with the same replica. Hadoop's cache remembers in the replica when it
 * could not be mapped, and whoever asks after that time is over never leaves its loop, with the
 * cache's lock held (ShortCircuitCache.getOrCreateClientMmap). Made invalid, the replica leaves the
 * cache with its last user, and the next one gets another from the DataNode.
 */
final class MapRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(MapRefusals.class);
  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private static volatile long untilNanos = System.nanoTime();

  private MapRefusals() {}

  /** Whether there was one so lately that nobody should try. */
  static boolean isRecent() {
    return System.nanoTime() - untilNanos < 0;
  }

  /** A replica could not be mapped; the caller still holds its reference. */
  static void refused(ShortCircuitReplica replica, long pauseMillis) {
    replica.getSlot().makeInvalid();
    // If it is closed, that was why: its thread was interrupted.
    if (!replica.getDataStream().getChannel().isOpen()) {
      return;
    }
    untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    if (LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "The kernel refuses to map a block. For {} ms, reads of unmapped blocks go the stock"
              + " way. Set vm.max_map_count higher or {} lower",
          pauseMillis,
          ZeroCopyOptions.MAX_MAPPINGS);
    }
  }
}
