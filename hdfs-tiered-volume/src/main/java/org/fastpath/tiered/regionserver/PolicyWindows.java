package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.Map;
import org.fastpath.tiered.datanode.move.MoveRequested;

/**
 * How many moves to the tier of each policy may be requested and not done: as with the window of
 * TCP, half as many after each round in which the tier was full and nothing was moved there, and
 * twice as many after each in which something was. So a full tier has a few requests, by which it
 * is seen when it has room, and does not take the others' place. For one thread.
 */
final class PolicyWindows {
  /** Requests that find out whether a full tier has room again. */
  private static final int LEAST = 4;

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
        size = Math.max(LEAST, size / 2);
      }
      open = 0;
      stuck = false;
      moved = false;
    }
  }

  /**
   * @param most requests that are open at a time, those for full tiers apart
   */
  PolicyWindows(int most) {
    this.most = most;
  }

  /** A round begins, with these requests in the queue, by the inodes of their files. */
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

  /** A request of this or an earlier process is about a file that is to have that policy. */
  void learn(long inode, String policy) {
    asked.put(inode, policy);
  }

  /** Whether the move of a file to the tier of a policy may be requested. */
  boolean hasRoom(String policy) {
    Window window = window(policy);
    return open < most && window.open < window.size;
  }

  /** It was requested. */
  void requested(long inode, String policy) {
    asked.put(inode, policy);
    window(policy).open++;
    open++;
  }
}
