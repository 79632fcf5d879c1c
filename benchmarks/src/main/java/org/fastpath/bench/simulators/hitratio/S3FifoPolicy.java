package org.fastpath.bench.simulators.hitratio;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * S3-FIFO has three queues: a small one for new blocks, a main one, and one of ghost entries. A
 * block enters the main queue if it was read in the small one or came back soon (Yang and others,
 * SOSP'23). Sizes are the paper's: a tenth for the small queue, ghost entries for the main queue's
 * bytes.
 */
final class S3FifoPolicy implements CachePolicy {
  private static final int MAX_READS = 3;

  private final long capacity;
  private final long smallCapacity;
  private final Map<Integer, Node> blocks = new HashMap<>();
  private final Deque<Node> small = new ArrayDeque<>();
  private final Deque<Node> main = new ArrayDeque<>();
  private final Map<Integer, Integer> ghosts = new LinkedHashMap<>();
  private long smallBytes;
  private long mainBytes;
  private long ghostBytes;

  private static final class Node {
    final int block;
    final int length;
    int reads;

    Node(int block, int length) {
      this.block = block;
      this.length = length;
    }
  }

  S3FifoPolicy(long capacity) {
    this.capacity = capacity;
    smallCapacity = capacity / 10;
  }

  @Override
  public boolean read(int block, int length) {
    Node node = blocks.get(block);
    if (node != null) {
      node.reads = Math.min(MAX_READS, node.reads + 1);
      return true;
    }
    while (smallBytes + mainBytes + length > capacity) {
      if (smallBytes >= smallCapacity && !small.isEmpty() || main.isEmpty()) {
        evictFromSmall();
      } else {
        evictFromMain();
      }
    }
    node = new Node(block, length);
    blocks.put(block, node);
    if (ghosts.remove(block) != null) {
      ghostBytes -= length;
      addToMain(node);
    } else {
      small.addFirst(node);
      smallBytes += length;
    }
    return false;
  }

  private void addToMain(Node node) {
    main.addFirst(node);
    mainBytes += node.length;
  }

  private void evictFromSmall() {
    Node node = small.removeLast();
    smallBytes -= node.length;
    if (node.reads > 1) {
      node.reads = 0;
      addToMain(node);
    } else {
      blocks.remove(node.block);
      addGhost(node);
    }
  }

  private void addGhost(Node node) {
    ghosts.put(node.block, node.length);
    ghostBytes += node.length;
    Iterator<Integer> oldest = ghosts.values().iterator();
    while (ghostBytes > capacity - smallCapacity) {
      ghostBytes -= oldest.next();
      oldest.remove();
    }
  }

  private void evictFromMain() {
    Node node = main.removeLast();
    while (node.reads > 0) {
      node.reads--;
      main.addFirst(node);
      node = main.removeLast();
    }
    mainBytes -= node.length;
    blocks.remove(node.block);
  }
}
