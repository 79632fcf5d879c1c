package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.Map;
import org.fastpath.tiered.datanode.move.MoveRequested;

/**
 * Limits the open requests for moves to the tier of each policy, by a window as in TCP. A round in
 * which the tier was full and nothing moved there halves the window. A round with a move doubles
 * it. So a full tier keeps a few requests, which detect new room, and leaves the places to other
 * tiers. Not thread-safe.
 */
final class PolicyWindows {
  /** Requests that detect new room on a full tier. */
  private static final int MIN = 4;

  private final int most;
  private final Map<Long, String> asked = new HashMap<>();
  private final Map<String, Window> windows = new HashMap<>();
  private int open;

  private static final class Window {
    private int size;
    private int open;
    private boolean stuck;
    private boolean moved;

    Window(int size) {
      this.size = size;
    }

    void beginRound(int most) {
      if (moved) {
        size = Math.min(most, 2 * size);
      } else if (stuck) {
        size = Math.max(MIN, size / 2);
      }
      open = 0;
      stuck = false;
      moved = false;
    }
  }

  /**
   * @param most limit of open requests, not counting those for full tiers
   */
  PolicyWindows(int most) {
    this.most = most;
  }

  /** Begins a round with these requests in the queue, by the inodes of their files. */
  void beginRound(Map<Long, MoveRequested> requested) {
    asked.forEach(
        (inode, policy) -> {
          MoveRequested request = requested.get(inode);
          Window window = window(policy);
          window.moved |= request == null;
          window.stuck |= request != null && request.isWithoutRoom();
        });
    windows.values().forEach(window -> window.beginRound(most));
    asked.keySet().retainAll(requested.keySet());
    open = 0;
    requested.forEach(this::count);
  }

  private void count(long inode, MoveRequested request) {
    if (!request.isOpen()) {
      return;
    }
    String policy = asked.get(inode);
    if (policy != null) {
      window(policy).open++;
    }
    if (policy == null || !request.isWithoutRoom()) {
      open++;
    }
  }

  private Window window(String policy) {
    return windows.computeIfAbsent(policy, any -> new Window(most));
  }

  /** Assigns a request of this or an earlier process to the policy of its file. */
  void learn(long inode, String policy) {
    asked.put(inode, policy);
  }

  /** Returns whether a move to the tier of a policy may be requested. */
  boolean hasRoom(String policy) {
    Window window = window(policy);
    return open < most && window.open < window.size;
  }

  /** Reports a new request. */
  void requested(long inode, String policy) {
    asked.put(inode, policy);
    window(policy).open++;
    open++;
  }
}
