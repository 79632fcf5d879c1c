package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;

/**
 * HBase's stripe store engine with files read by the off-heap reader. It is for tables that name
 * {@code StripeStoreEngine} today. See {@link OffHeapReaderStoreEngine}.
 */
public class OffHeapReaderStripeStoreEngine extends StripeStoreEngine {
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
