package org.fastpath.zcr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps unused mappings until their grace period is over. A faulty reader that reads too late still
 * gets the right bytes for that time.
 *
 * <p>These mappings hold descriptors, address space and the DataNode's locked memory. So their
 * number is limited: at the limit, the oldest is unmapped early. Thread-safe.
 */
final class GraceQueue {
  /** The limit is the limit of mappings divided by this number. */
  static final int PART = 4;

  private final long graceNanos;
  private final int maxMappingsInGrace;
  private final long maxBytesInGrace;
  private final Deque<Entry> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean closed;

  private record Entry(Mapping mapping, boolean held, long dueNanos) {
    void unmap() {
      try {
        mapping.unmap();
      } finally {
        ZeroCopyMetrics.unmapped(mapping.reserved(), held);
      }
    }
  }

  GraceQueue(ZeroCopyOptions options) {
    graceNanos = TimeUnit.MILLISECONDS.toNanos(options.graceMillis());
    maxMappingsInGrace = options.maxMappings() / PART;
    maxBytesInGrace = options.maxMappedBytes() / PART;
  }

  /** Takes over an unused mapping. Without a grace period it is unmapped at once. */
  void add(Mapping mapping, boolean held, long nowNanos) {
    Entry entry = new Entry(mapping, held, nowNanos + graceNanos);
    List<Entry> over = new ArrayList<>();
    synchronized (this) {
      waiting.add(entry);
      bytes += mapping.reserved();
      while (!waiting.isEmpty() && (closed || graceNanos == 0 || isFull())) {
        over.add(remove());
      }
    }
    over.forEach(Entry::unmap);
  }

  private boolean isFull() {
    return waiting.size() > maxMappingsInGrace || bytes > maxBytesInGrace;
  }

  private Entry remove() {
    Entry oldest = waiting.remove();
    bytes -= oldest.mapping.reserved();
    return oldest;
  }

  /** Unmaps the mappings whose grace period is over. */
  void sweep(long nowNanos) {
    List<Entry> over = new ArrayList<>();
    synchronized (this) {
      while (!waiting.isEmpty() && waiting.peek().dueNanos - nowNanos <= 0) {
        over.add(remove());
      }
    }
    over.forEach(Entry::unmap);
  }

  /** Unmaps all mappings, and later ones at once. */
  void close() {
    List<Entry> over = new ArrayList<>();
    synchronized (this) {
      closed = true;
      while (!waiting.isEmpty()) {
        over.add(remove());
      }
    }
    over.forEach(Entry::unmap);
  }
}
