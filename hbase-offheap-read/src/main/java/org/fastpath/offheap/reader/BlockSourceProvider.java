package org.fastpath.offheap.reader;

import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Opens sources of blocks in memory that is not a cache's. A jar that has such memory names its
 * provider in {@code META-INF/services}. Without such a jar the reader has its cache only; without
 * this jar nobody loads the provider.
 *
 * <p>Safe from any thread.
 */
public interface BlockSourceProvider {
  /**
   * Returns a source of a file's blocks; null if none of them can be in this memory. The source is
   * asked before the cache.
   *
   * @param file whose index may not have been loaded yet
   * @param allocator that HBase's own blocks of the file have
   * @param store the configuration of the file's store, with what its table and family say
   * @param firstRead is told the offset of each block that the source gives the first time, so that
   *     a cache need not keep it
   */
  BlockSource open(
      HFile.Reader file, ByteBuffAllocator allocator, Configuration store, LongConsumer firstRead);
}
