package org.fastpath.bench.hitratio;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Least recently used. */
final class LruPolicy implements CachePolicy {
  private final long capacity;
  private final Map<Integer, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long used;

  LruPolicy(long capacity) {
    this.capacity = capacity;
  }

  @Override
  public boolean read(int block, int length) {
    if (blocks.get(block) != null) {
      return true;
    }
    Iterator<Integer> eldest = blocks.values().iterator();
    while (used + length > capacity) {
      used -= eldest.next();
      eldest.remove();
    }
    blocks.put(block, length);
    used += length;
    return false;
  }
}
