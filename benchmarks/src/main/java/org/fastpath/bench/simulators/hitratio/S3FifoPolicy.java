package org.fastpath.bench.simulators.hitratio;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * S3-FIFO has three queues: a small one for new blocks, a main one, and one of ghost entries. A
 * block enters the main queue if it was read in the small one or came back soon (Yang and others,
 * SOSP'23). Sizes are the paper's: a tenth for the small queue, ghost entries for the main queue's
 * bytes.
 */
final class S3FifoPolicy extends Contender.Policy {
  private static final int MAX_READS = 3;

  private final long smallCapacity;
  private final long mainCapacity;
  private final boolean[] cached;
  private final int[] reads;
  private final Deque<Integer> small = new ArrayDeque<>();
  private final Deque<Integer> main = new ArrayDeque<>();
  private final Set<Integer> ghosts = new LinkedHashSet<>();
  private long smallBytes;
  private long ghostBytes;

  S3FifoPolicy(Trace trace, long capacity) {
    super(trace, capacity);
    smallCapacity = capacity / 10;
    mainCapacity = capacity - smallCapacity;
    cached = new boolean[trace.blocks()];
    reads = new int[trace.blocks()];
  }

  @Override
  boolean read(int block) {
    if (cached[block]) {
      reads[block] = Math.min(MAX_READS, reads[block] + 1);
      return true;
    }
    while (free < lengths[block]) {
      if (smallBytes >= smallCapacity && !small.isEmpty() || main.isEmpty()) {
        evictFromSmall();
      } else {
        evictFromMain();
      }
    }
    cached[block] = true;
    free -= lengths[block];
    if (ghosts.remove(block)) {
      ghostBytes -= lengths[block];
      addToMain(block);
    } else {
      small.addFirst(block);
      smallBytes += lengths[block];
    }
    return false;
  }

  private void addToMain(int block) {
    reads[block] = 0;
    main.addFirst(block);
  }

  private void evictFromSmall() {
    int block = small.removeLast();
    smallBytes -= lengths[block];
    if (reads[block] > 1) {
      addToMain(block);
    } else {
      reads[block] = 0;
      drop(block);
      addGhost(block);
    }
  }

  private void addGhost(int block) {
    ghosts.add(block);
    ghostBytes += lengths[block];
    Iterator<Integer> oldest = ghosts.iterator();
    while (ghostBytes > mainCapacity) {
      ghostBytes -= lengths[oldest.next()];
      oldest.remove();
    }
  }

  private void evictFromMain() {
    int block = main.removeLast();
    while (reads[block] > 0) {
      reads[block]--;
      main.addFirst(block);
      block = main.removeLast();
    }
    drop(block);
  }

  private void drop(int block) {
    cached[block] = false;
    free += lengths[block];
  }
}
