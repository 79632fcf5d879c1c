package org.fastpath.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.fastpath.offheap.cache.RegionServerCache;
import org.fastpath.offheap.inline.InlineReads;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * Calls the off-heap cache. Only this class links to another jar of ours, so load it only if that
 * jar is on the class path.
 */
final class CacheParts implements CacheHandle {
  private final RegionServerCache cache;

  private CacheParts(RegionServerCache cache) {
    this.cache = cache;
  }

  /** Checks the cache's keys, and derives those of the reader. */
  static void prepare(Configuration conf) {
    InlineReads.prepared(ReaderSupport.prepared(RegionServerCache.checked(conf)));
  }

  /** Installs the cache in a server that does not serve yet. */
  static CacheHandle install(HRegionServer server) {
    return new CacheParts(RegionServerCache.install(server));
  }

  @Override
  public void onConfigurationChange(Configuration conf) {
    cache.onConfigurationChange(conf);
  }
}
