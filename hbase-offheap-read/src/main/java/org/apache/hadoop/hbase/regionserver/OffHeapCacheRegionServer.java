package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.offheap.cache.RegionServerCache;
import org.fastpath.offheap.inline.InlineReads;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * A RegionServer whose data blocks are cached off the heap. An operator names the class in {@code
 * hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.regionserver.impl = org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer
 * }</pre>
 *
 * <p>What it does besides being an {@code HRegionServer} is in {@link RegionServerCache}, and,
 * where {@code hbase.fastpath.offheap-reader.enabled} is true, in {@link ReaderSupport#prepared}.
 */
public class OffHeapCacheRegionServer extends HRegionServer {
  private final RegionServerCache cache;

  /** For HBase, which looks for this signature. */
  public OffHeapCacheRegionServer(Configuration conf) throws IOException {
    super(InlineReads.prepared(ReaderSupport.prepared(RegionServerCache.checked(conf))));
    cache = RegionServerCache.install(this);
  }

  /** Called once a change, in every version, because a RegionServer observes itself. */
  @Override
  public void onConfigurationChange(Configuration conf) {
    super.onConfigurationChange(conf);
    cache.onConfigurationChange(conf);
  }
}
