package org.fastpath.offheap.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The blocks that readers hold, in debug mode, and where they were taken. Known by an object for
 * each hit, which is equal to itself alone. Thread-safe.
 */
public final class PinTracker {
  private final Map<Object, Holder> open = new ConcurrentHashMap<>();

  /** Where, by which thread and when a block was taken. */
  public record Holder(Throwable site, long sinceNanos) {}

  /** This thread took the block. */
  public void opened(Object pin, String block) {
    Throwable site =
        new Throwable("block " + block + " taken by " + Thread.currentThread().getName());
    open.put(pin, new Holder(site, System.nanoTime()));
  }

  /** It was given back, by any thread. */
  public void closed(Object pin) {
    open.remove(pin);
  }

  /** Where each block was taken that was not given back. */
  public List<Throwable> sites() {
    return open.values().stream().map(Holder::site).toList();
  }

  /** All blocks that were not given back. */
  public List<Holder> holders() {
    return List.copyOf(open.values());
  }
}
