package org.fastpath.offheap.store;

import java.util.concurrent.TimeUnit;
import org.fastpath.offheap.memory.CacheMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resizes a running cache by whole regions, on a separate thread. Reserving memory takes a third of
 * a second per gigabyte. A retired region is emptied block by block and waits for the readers of
 * its blocks. If they do not end in time, if anything throws, or if the thread is interrupted, the
 * current step is undone. Reserved memory is freed, and a retired region is reactivated.
 */
public final class CacheResizer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheResizer.class);
  private static final long READER_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long PAUSE_MILLIS = 10;

  private final BlockStore store;
  private final long readerWaitNanos;
  private long wanted;

  /** Whether the latest resize that ended was done whole. One that was not may be asked again. */
  private boolean complete = true;

  private Thread thread;
  private boolean closed;

  /** The target size of a resize in progress, otherwise 0. */
  private volatile long target;

  private volatile long reserved;

  public CacheResizer(BlockStore store, long bytes) {
    this(store, bytes, READER_WAIT_NANOS);
  }

  /** Makes a resizer with another limit for the wait for readers. */
  public CacheResizer(BlockStore store, long bytes, long readerWaitNanos) {
    this.store = store;
    this.wanted = bytes;
    this.readerWaitNanos = readerWaitNanos;
  }

  /** Begins a resize, unless the cache has or will have this size. The latest request counts. */
  public synchronized void resize(long bytes) {
    if (closed || bytes == wanted && (complete || thread != null)) {
      return;
    }
    if (thread == null) {
      Thread resizing = new Thread(this::run, "offheap-cache-resizer");
      resizing.setDaemon(true);
      // It may fail for lack of threads. It then changes nothing, so a later request tries again.
      resizing.start();
      thread = resizing;
    }
    wanted = bytes;
  }

  /** Waits until no resize is in progress. */
  public void await() throws InterruptedException {
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      running.join();
    }
  }

  /** Interrupts and undoes a resize in progress, and begins no other. */
  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Returns the target size of a resize in progress, otherwise 0. */
  public long target() {
    return target;
  }

  /** Returns the bytes reserved for a resize in progress. */
  public long reserved() {
    return reserved;
  }

  private void run() {
    try {
      long done = -1;
      for (long next = next(done); next >= 0; next = next(done)) {
        attempt(next);
        done = next;
      }
    } finally {
      ended();
    }
  }

  private void attempt(long bytes) {
    boolean whole = false;
    target = bytes;
    try {
      whole = change(bytes);
    } catch (RuntimeException | Error e) {
      LOG.error(
          "The resize of the off-heap block cache failed: it has {} bytes instead of {}",
          store.capacity(),
          bytes,
          e);
    } catch (InterruptedException e) {
      LOG.warn(
          "The resize was interrupted; the off-heap block cache has {} bytes now",
          store.capacity());
    } finally {
      target = 0;
      reserved = 0;
      completed(whole);
    }
  }

  private synchronized void completed(boolean whole) {
    complete = whole;
  }

  /** Lets the next request start a thread, also if this one fails. */
  private synchronized void ended() {
    if (thread == Thread.currentThread()) {
      thread = null;
    }
  }

  /** Returns the requested size; -1 after it was tried, which ends the thread. */
  private synchronized long next(long done) {
    if (wanted == done || closed) {
      thread = null;
      return -1;
    }
    return wanted;
  }

  /** Returns whether no reader prevented a step. */
  private boolean change(long bytes) throws InterruptedException {
    long before = store.capacity();
    boolean whole = true;
    if (bytes > before) {
      store.grow(bytes, reporting(bytes - before));
    } else {
      while (whole && store.retireRegion(bytes)) {
        whole = giveBack();
      }
    }
    LOG.info(
        "Off-heap block cache resized from {} to {} bytes ({} asked for, in whole regions)",
        before,
        store.capacity(),
        bytes);
    return whole;
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

  /** Empties and frees a retired region. If that fails, reactivates it. */
  private boolean giveBack() throws InterruptedException {
    boolean gone = false;
    try {
      store.emptyRetiredRegion();
      gone = waitForReaders();
    } finally {
      if (!gone) {
        store.reactivateRegion();
      }
    }
    return gone;
  }

  private boolean waitForReaders() throws InterruptedException {
    long end = System.nanoTime() + readerWaitNanos;
    while (!store.freeRetiredRegion()) {
      if (System.nanoTime() > end) {
        LOG.warn(
            "Readers still hold blocks of a region after a minute, so the region stays in "
                + "the cache");
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}
