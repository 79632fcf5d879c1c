package org.fastpath.tiered.datanode.move;

import java.util.HashMap;
import java.util.Map;

/**
 * How many moves there may be at a time, in all and for each DataNode, be it source or target.
 * Thread-safe. All slots of a move are taken at once, so that two moves cannot wait for each other.
 */
final class MoveSlots {
  private final int most;
  private final int mostPerDataNode;
  private final Map<String, Integer> byDataNode = new HashMap<>();
  private int moves;

  MoveSlots(int most, int mostPerDataNode) {
    this.most = most;
    this.mostPerDataNode = mostPerDataNode;
  }

  /** Waits until there is room. */
  synchronized void acquire(ReplicaMove move) throws InterruptedException {
    while (moves >= most || isBusy(source(move)) || isBusy(target(move))) {
      wait();
    }
    change(move, 1);
  }

  private boolean isBusy(String dataNode) {
    return byDataNode.getOrDefault(dataNode, 0) >= mostPerDataNode;
  }

  synchronized void release(ReplicaMove move) {
    change(move, -1);
    notifyAll();
  }

  private void change(ReplicaMove move, int by) {
    moves += by;
    count(source(move), by);
    if (!move.isLocal()) {
      count(target(move), by);
    }
  }

  private void count(String dataNode, int by) {
    int count = byDataNode.merge(dataNode, by, Integer::sum);
    if (count == 0) {
      byDataNode.remove(dataNode);
    }
  }

  synchronized int moves() {
    return moves;
  }

  private static String source(ReplicaMove move) {
    return move.source().getDatanodeUuid();
  }

  private static String target(ReplicaMove move) {
    return move.target().getDatanodeUuid();
  }
}
