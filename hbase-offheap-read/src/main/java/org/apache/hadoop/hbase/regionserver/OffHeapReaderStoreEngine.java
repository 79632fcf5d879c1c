package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;

/**
 * HBase's default store engine with files read by the off-heap reader. An operator can name it in
 * {@code hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.hstore.engine.class = org.apache.hadoop.hbase.regionserver.OffHeapReaderStoreEngine
 * }</pre>
 *
 * <p>If {@code hbase.fastpath.offheap-reader.enabled} is true, {@link OffHeapCacheRegionServer}
 * sets that key. HMasters need the jar too if the key is in their {@code hbase-site.xml} or an
 * attribute of a table. An HMaster loads the class before it creates a table, and has a store of
 * its own. {@link StoreFiles} decides which stores are attached.
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
