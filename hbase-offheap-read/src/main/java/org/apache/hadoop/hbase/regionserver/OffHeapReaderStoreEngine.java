package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;

/**
 * HBase's default engine of a store, whose files are read by the off-heap reader. Put in by a class
 * name in {@code hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.hstore.engine.class = org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine
 * }</pre>
 *
 * <p>or by {@link OffHeapCacheRegionServer} where {@code hbase.fastpath.offheap-reader.enabled} is
 * true. In {@code hbase-site.xml} of an HMaster, or as an attribute of a table, the key needs the
 * jar on HMasters too: one looks for the class before it creates a table, and has a store of its
 * own. Which stores are attached is said in {@link StoreFiles}.
 */
public class OffHeapReaderStoreEngine extends DefaultStoreEngine {
  private StoreFiles files;

  @Override
  protected void createComponents(Configuration conf, HStore store, CellComparator comparator)
      throws IOException {
    super.createComponents(conf, store, comparator);
    files = StoreFiles.of(conf, store);
  }

  @Override
  public HStoreFile createStoreFileAndReader(StoreFileInfo file) throws IOException {
    return super.createStoreFileAndReader(files.attach(file));
  }
}
