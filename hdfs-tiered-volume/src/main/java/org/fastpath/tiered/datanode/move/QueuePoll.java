package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.List;

/**
 * The requests of a queue, listed again only when its directory has changed: a poll of a queue that
 * rests costs the NameNode one look at the directory, however many requests there are. For one
 * thread.
 */
final class QueuePoll {
  private static final long NEVER = -1;

  private final MoveQueue queue;
  private List<MoveRequest> requests = List.of();
  private long listedAt = NEVER;
  private boolean settled;

  QueuePoll(MoveQueue queue) {
    this.queue = queue;
  }

  /** All requests, those that have failed too. */
  List<MoveRequest> requests() throws IOException {
    long changed = queue.changedMillis();
    boolean same = changed == listedAt;
    // Changes within the same millisecond do not show, so a change is followed by two listings.
    if (!same || !settled) {
      requests = queue.list();
      listedAt = changed;
      settled = same;
    }
    return requests;
  }
}
