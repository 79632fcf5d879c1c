package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.List;

/**
 * Polls the requests of a queue and lists them only if its directory has changed. A poll of an
 * unchanged queue costs the NameNode one status call, for any number of requests. Not thread-safe.
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

  /** Returns all requests, also failed ones. */
  List<MoveRequest> requests() throws IOException {
    long changed = queue.changedMillis();
    boolean same = changed == listedAt;
    // Changes within the same millisecond are invisible, so two listings follow a change.
    if (!same || !settled) {
      requests = queue.list();
      listedAt = changed;
      settled = same;
    }
    return requests;
  }
}
