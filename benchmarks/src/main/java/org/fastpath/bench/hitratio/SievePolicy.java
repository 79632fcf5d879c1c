package org.fastpath.bench.hitratio;

import java.util.HashMap;
import java.util.Map;

/**
 * SIEVE: a queue in order of arrival, one bit for a block that was read, and a hand that moves from
 * old to new, takes the bits away and evicts the first block without (Zhang and others, NSDI'24).
 */
final class SievePolicy implements CachePolicy {
  private final long capacity;
  private final Map<Integer, Node> blocks = new HashMap<>();
  private final Node ends = new Node(-1, 0);
  private Node hand = ends;
  private long used;

  private static final class Node {
    final int block;
    final int length;
    boolean read;
    Node newer = this;
    Node older = this;

    Node(int block, int length) {
      this.block = block;
      this.length = length;
    }
  }

  SievePolicy(long capacity) {
    this.capacity = capacity;
  }

  @Override
  public boolean read(int block, int length) {
    Node node = blocks.get(block);
    if (node != null) {
      node.read = true;
      return true;
    }
    while (used + length > capacity) {
      evict();
    }
    add(new Node(block, length));
    return false;
  }

  private void add(Node node) {
    node.older = ends.older;
    node.newer = ends;
    ends.older.newer = node;
    ends.older = node;
    blocks.put(node.block, node);
    used += node.length;
  }

  /** The ring goes from {@code ends} to the oldest by {@code newer}. */
  private void evict() {
    Node node = hand;
    while (node == ends || node.read) {
      node.read = false;
      node = node.newer;
    }
    hand = node.newer;
    node.older.newer = node.newer;
    node.newer.older = node.older;
    blocks.remove(node.block);
    used -= node.length;
  }
}
