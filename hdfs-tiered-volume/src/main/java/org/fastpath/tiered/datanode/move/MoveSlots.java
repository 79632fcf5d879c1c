package org.fastpath.tiered.datanode.move;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits concurrent moves, in all and for each DataNode as source or target. A move takes all its
 * slots at once, so two moves cannot wait for each other. The caller synchronizes.
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

  /** Returns whether no move may begin on any DataNode. */
  boolean isFull() {
    return moves >= most;
  }

  /** Takes the slots of a move, if there is room for it. */
  boolean tryAcquire(ReplicaMove move) {
    if (isFull() || isBusy(source(move)) || isBusy(target(move))) {
      return false;
    }
    change(move, 1);
    return true;
  }

  private boolean isBusy(String dataNode) {
    return byDataNode.getOrDefault(dataNode, 0) >= mostPerDataNode;
  }

  void release(ReplicaMove move) {
    change(move, -1);
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

  int moves() {
    return moves;
  }

  private static String source(ReplicaMove move) {
    return move.source().getDatanodeUuid();
  }

  private static String target(ReplicaMove move) {
    return move.target().getDatanodeUuid();
  }
}
