package org.fastpath.offheap.store;

import java.util.concurrent.TimeUnit;
import org.fastpath.offheap.memory.CacheMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a running cache another size, by whole regions and in a thread of its own: reserving memory
 * takes a third of a second a gigabyte, and memory that is given back is first emptied, block by
 * block, and waits for the readers of its blocks. If they do not come to an end in time, if
 * anything throws, or if the thread is interrupted, the step at hand is undone: memory that was
 * reserved is given back, and a retired region takes blocks again.
 */
public final class CacheResizer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheResizer.class);
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_MILLIS = 10;

  private final BlockStore store;
  private final long patienceNanos;
  private long wanted;
  private Thread thread;
  private boolean closed;

  /** Bytes that are being changed to; 0 while nothing changes. */
  private volatile long target;

  private volatile long reserved;

  public CacheResizer(BlockStore store, long bytes) {
    this(store, bytes, PATIENCE_NANOS);
  }

  /** With another patience for readers of a region that is given back. */
  public CacheResizer(BlockStore store, long bytes, long patienceNanos) {
    this.store = store;
    this.wanted = bytes;
    this.patienceNanos = patienceNanos;
  }

  /** Begins to make the cache so large, unless it is or will be; the latest wish counts. */
  public synchronized void resize(long bytes) {
    if (bytes == wanted || closed) {
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
  public void await() throws InterruptedException {
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      running.join();
    }
  }

  /** Interrupts a change that is under way, which is undone, and begins no other. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Bytes that the cache is being changed to; 0 while nothing changes. */
  public long target() {
    return target;
  }

  /** Bytes that were reserved for the change that is under way. */
  public long reserved() {
    return reserved;
  }

  private void run() {
    long done = -1;
    for (long next = next(done); next >= 0; next = next(done)) {
      target = next;
      try {
        change(next);
      } catch (RuntimeException | Error e) {
        LOG.error("The off-heap block cache has {} bytes, not {}", store.capacity(), next, e);
      } catch (InterruptedException e) {
        LOG.warn("Interrupted; the off-heap block cache has {} bytes now", store.capacity());
      } finally {
        target = 0;
        reserved = 0;
      }
      done = next;
    }
  }

  /** The size that is wanted now; -1, and the thread is over, when that has been tried. */
  private synchronized long next(long done) {
    if (wanted == done || closed) {
      thread = null;
      return -1;
    }
    return wanted;
  }

  private void change(long bytes) throws InterruptedException {
    long before = store.capacity();
    boolean complete = true;
    if (bytes > before) {
      store.grow(bytes, reporting(bytes - before));
    } else {
      while (complete && store.retireRegion(bytes)) {
        complete = giveBack();
      }
    }
    LOG.info(
        "Off-heap block cache resized from {} to {} bytes ({} asked for, in whole regions)",
        before,
        store.capacity(),
        bytes);
  }

  private CacheMemory.Progress<InterruptedException> reporting(long bytes) {
    CacheMemory.LoggedProgress log = new CacheMemory.LoggedProgress(bytes);
    return soFar -> {
      reserved = soFar;
      log.reserved(soFar);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    };
  }

  /** Empties a retired region and gives it back; else it takes blocks again. */
  private boolean giveBack() throws InterruptedException {
    boolean gone = false;
    try {
      store.emptyRetiredRegion();
      gone = waitForReaders();
    } finally {
      if (!gone) {
        store.reinstateRegion();
      }
    }
    return gone;
  }

  private boolean waitForReaders() throws InterruptedException {
    long end = System.nanoTime() + patienceNanos;
    while (!store.giveBackRetiredRegion()) {
      if (System.nanoTime() > end) {
        LOG.warn("Blocks of a region are still read after a minute; it stays in the cache");
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}
