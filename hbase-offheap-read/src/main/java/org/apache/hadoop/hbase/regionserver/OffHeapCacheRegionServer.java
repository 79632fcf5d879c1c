package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.offheap.cache.RegionServerCache;
import org.fastpath.offheap.inline.InlineReads;
import org.fastpath.offheap.reader.ReaderSupport;

/**
 * A RegionServer that caches data blocks off the heap. An operator names the class in {@code
 * hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.regionserver.impl = org.apache.hadoop.hbase.regionserver.OffHeapCacheRegionServer
 * }</pre>
 *
 * <p>{@link RegionServerCache} contains the additions to {@code HRegionServer}. If {@code
 * hbase.fastpath.offheap-reader.enabled} is true, {@link ReaderSupport#prepared} adds the reader.
 */
public class OffHeapCacheRegionServer extends HRegionServer {
  private final RegionServerCache cache;

  /** Called by HBase, which looks for this signature. */
  public OffHeapCacheRegionServer(Configuration conf) throws IOException {
    super(InlineReads.prepared(ReaderSupport.prepared(RegionServerCache.checked(conf))));
    cache = RegionServerCache.install(this);
  }

  /**
   * Applies a change of the configuration. A RegionServer observes itself, so this is called once
   * per change in every version.
   */
  @Override
  public void onConfigurationChange(Configuration conf) {
    super.onConfigurationChange(conf);
    cache.onConfigurationChange(conf);
  }
}
