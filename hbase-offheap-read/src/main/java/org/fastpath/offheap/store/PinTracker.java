package org.fastpath.offheap.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks pinned blocks with their call sites, in debug mode. A unique object for each hit
 * identifies a pin. Thread-safe.
 */
public final class PinTracker {
  private final Map<Object, Holder> open = new ConcurrentHashMap<>();

  /** The call site, thread and time of a pin. */
  public record Holder(Throwable site, long sinceNanos) {}

  /** Reports a pin by the current thread. */
  public void opened(Object pin, String block) {
    Throwable site =
        new Throwable("block " + block + " taken by " + Thread.currentThread().getName());
    open.put(pin, new Holder(site, System.nanoTime()));
  }

  /** Reports a release by any thread. */
  public void closed(Object pin) {
    open.remove(pin);
  }

  /** Returns the call sites of unreleased pins. */
  public List<Throwable> sites() {
    return open.values().stream().map(Holder::site).toList();
  }

  /** Returns all unreleased pins. */
  public List<Holder> holders() {
    return List.copyOf(open.values());
  }
}
