package org.fastpath.bench.hitratio;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** W-TinyLFU, by the library, with what it defers done at once. */
final class CaffeinePolicy implements CachePolicy {
  private final Cache<Integer, Integer> cache;

  CaffeinePolicy(long capacity) {
    cache =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(capacity)
            .weigher((Integer block, Integer length) -> length)
            .build();
  }

  @Override
  public boolean read(int block, int length) {
    boolean hit = cache.getIfPresent(block) != null;
    if (!hit) {
      cache.put(block, length);
    }
    cache.cleanUp();
    return hit;
  }
}
