package org.fastpath.bench.hitratio;

/** Blocks in the order of their last reads; a tree of counts finds the n-th. */
final class RecencyStack {
  private final int[] tree;
  private final int[] blockAt;
  private int now;
  private int count;

  RecencyStack(int blocks, int reads) {
    tree = new int[Integer.highestOneBit(blocks + reads) * 2];
    blockAt = new int[tree.length];
    while (now < blocks) {
      push(now);
    }
  }

  /** Reads the block that so many others were read after. */
  int read(int distance) {
    int place = find(count - distance);
    int block = blockAt[place];
    add(place, -1);
    push(block);
    return block;
  }

  private void push(int block) {
    blockAt[++now] = block;
    add(now, 1);
  }

  private void add(int place, int delta) {
    count += delta;
    for (int i = place; i < tree.length; i += i & -i) {
      tree[i] += delta;
    }
  }

  /** The place of the n-th block from the oldest, from 1. */
  private int find(int n) {
    int place = 0;
    int left = n;
    for (int step = tree.length / 2; step > 0; step /= 2) {
      if (place + step < tree.length && tree[place + step] < left) {
        place += step;
        left -= tree[place];
      }
    }
    return place + 1;
  }
}
