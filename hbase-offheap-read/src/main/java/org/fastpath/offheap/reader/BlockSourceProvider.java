package org.fastpath.offheap.reader;

import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Opens sources of blocks in memory outside of the cache. A jar with such memory names its provider
 * in {@code META-INF/services}. Without such a jar, the reader has only its cache. Without this
 * jar, nothing loads the provider.
 *
 * <p>Thread-safe.
 */
public interface BlockSourceProvider {
  /**
   * Opens a source of a file's blocks. Readers ask the source before the cache.
   *
   * @param file the file; its index may not be loaded yet
   * @param allocator the allocator of HBase's own blocks of the file
   * @param store the configuration of the file's store, with the attributes of its table and family
   * @param firstRead receives the offset of each block that the source serves for the first time; a
   *     cache can drop its copy then
   * @return the source; null if this memory can have no block of the file
   */
  BlockSource open(
      HFile.Reader file, ByteBuffAllocator allocator, Configuration store, LongConsumer firstRead);
}
