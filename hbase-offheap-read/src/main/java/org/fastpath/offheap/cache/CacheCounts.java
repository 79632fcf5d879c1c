package org.fastpath.offheap.cache;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * HBase's counts of a block cache, with one addition per hit instead of HBase's four. Nearly all
 * hits are of data blocks of a primary replica, by a caching read. Those have one counter that is
 * part of four sums.
 */
final class CacheCounts extends CacheStats {
  private final LongAdder usualHits = new LongAdder();

  CacheCounts(String name) {
    super(name);
  }

  @Override
  public void hit(boolean caching, boolean primary, BlockType type) {
    if (caching && primary && type != null && type.isData()) {
      usualHits.increment();
    } else {
      super.hit(caching, primary, type);
    }
  }

  @Override
  public long getHitCount() {
    return super.getHitCount() + usualHits.sum();
  }

  @Override
  public long getPrimaryHitCount() {
    return super.getPrimaryHitCount() + usualHits.sum();
  }

  @Override
  public long getHitCachingCount() {
    return super.getHitCachingCount() + usualHits.sum();
  }

  @Override
  public long getDataHitCount() {
    return super.getDataHitCount() + usualHits.sum();
  }
}
