package org.fastpath.zcr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Mappings that no reader has any longer, until their grace is over. A reader that is late, by a
 * fault of its own, reads the right bytes for that long.
 *
 * <p>They hold descriptors, address space and the DataNode's locked memory. So there is a bound:
 * when it is reached, the oldest is unmapped early. Safe from any thread.
 */
final class Graves {
  /** One of so many mappings that may be mapped may be in its grace as well. */
  static final int PART = 4;

  private final long graceNanos;
  private final int mostMappings;
  private final long mostBytes;
  private final Deque<Grave> graves = new ArrayDeque<>();
  private long bytes;
  private boolean closed;

  private record Grave(Mapping mapping, boolean held, long dueNanos) {
    void unmap() {
      try {
        mapping.unmap();
      } finally {
        ZeroCopyMetrics.unmapped(mapping.reserved(), held);
      }
    }
  }

  Graves(ZeroCopyOptions options) {
    graceNanos = TimeUnit.MILLISECONDS.toNanos(options.graceMillis());
    mostMappings = options.maxMappings() / PART;
    mostBytes = options.maxMappedBytes() / PART;
  }

  /** Takes over an unused mapping; without a grace it is unmapped at once. */
  void bury(Mapping mapping, boolean held, long nowNanos) {
    Grave grave = new Grave(mapping, held, nowNanos + graceNanos);
    List<Grave> over = new ArrayList<>();
    synchronized (this) {
      graves.add(grave);
      bytes += mapping.reserved();
      while (!graves.isEmpty() && (closed || graceNanos == 0 || isFull())) {
        over.add(remove());
      }
    }
    over.forEach(Grave::unmap);
  }

  private boolean isFull() {
    return graves.size() > mostMappings || bytes > mostBytes;
  }

  private Grave remove() {
    Grave oldest = graves.remove();
    bytes -= oldest.mapping.reserved();
    return oldest;
  }

  /** Unmaps those whose grace is over. */
  void sweep(long nowNanos) {
    List<Grave> over = new ArrayList<>();
    synchronized (this) {
      while (!graves.isEmpty() && graves.peek().dueNanos - nowNanos <= 0) {
        over.add(remove());
      }
    }
    over.forEach(Grave::unmap);
  }

  /** Unmaps all, and from now on each at once. */
  void close() {
    List<Grave> over = new ArrayList<>();
    synchronized (this) {
      closed = true;
      while (!graves.isEmpty()) {
        over.add(remove());
      }
    }
    over.forEach(Grave::unmap);
  }
}
