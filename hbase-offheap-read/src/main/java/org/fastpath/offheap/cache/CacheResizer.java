package org.fastpath.offheap.cache;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a running cache another size, by whole regions and in a thread of its own: reserving memory
 * takes a third of a second a gigabyte, and memory that is given back is first emptied, block by
 * block, and waits for the readers of its blocks. If they do not come to an end in time, the region
 * takes blocks again.
 */
final class CacheResizer {
  private static final Logger LOG = LoggerFactory.getLogger(CacheResizer.class);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_MILLIS = 10;

  private final BlockStore store;
  private long wanted;
  private Thread thread;

  CacheResizer(BlockStore store, long bytes) {
    this.store = store;
    this.wanted = bytes;
  }

  /** Begins to make the cache so large, unless it is or will be; the latest wish counts. */
  synchronized void resize(long bytes) {
    if (bytes == wanted) {
      return;
    }
    wanted = bytes;
    if (thread == null) {
      thread = new Thread(this::run, "offheap-cache-resizer");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Waits until no change is under way. */
  void await() throws InterruptedException {
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      running.join();
    }
  }

  private void run() {
    long done = -1;
    for (long target = next(done); target >= 0; target = next(done)) {
      try {
        change(target);
      } catch (RuntimeException | OutOfMemoryError e) {
        LOG.error("The off-heap block cache has {} bytes, not {}", store.capacity(), target, e);
      } catch (InterruptedException e) {
        LOG.warn("Interrupted; the off-heap block cache has {} bytes now", store.capacity());
      }
      done = target;
    }
  }

  /** The size that is wanted now; -1, and the thread is over, when that has been tried. */
  private synchronized long next(long done) {
    if (wanted == done) {
      thread = null;
      return -1;
    }
    return wanted;
  }

  private void change(long target) throws InterruptedException {
    long before = store.capacity();
    boolean complete = true;
    if (target > before) {
      store.grow(target);
    } else {
      while (complete && store.retireRegion(target)) {
        complete = giveBack();
      }
    }
    LOG.info(
        "Off-heap block cache resized from {} to {} bytes ({} asked for, in whole regions)",
        before,
        store.capacity(),
        target);
  }

  private boolean giveBack() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    store.emptyRetiredRegion();
    while (!store.giveBackRetiredRegion()) {
      if (System.nanoTime() > end) {
        LOG.warn("Blocks of a region are still read after a minute; it stays in the cache");
        store.reinstateRegion();
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}
