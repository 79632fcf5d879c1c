package org.fastpath.offheap.cache;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The blocks that readers hold, in debug mode: by thread, and with the place they were taken. */
final class PinTracker {
  private final Set<TrackedPin> open = ConcurrentHashMap.newKeySet();

  void opened(TrackedPin pin) {
    open.add(pin);
  }

  void closed(TrackedPin pin) {
    open.remove(pin);
  }

  /** How many blocks this thread took that were not given back. */
  long heldBy(Thread thread) {
    return open.stream().filter(pin -> pin.thread() == thread).count();
  }

  /** Where each block was taken that was not given back. */
  List<Throwable> sites() {
    return open.stream().map(TrackedPin::site).collect(Collectors.toList());
  }
}
