package org.fastpath.zcr.hbase;

import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * Enables mapped blocks in a RegionServer. A mapped block is a data block that a local DataNode
 * holds in locked memory. It is read without a copy and stays out of HBase's block cache. Mapped
 * blocks also need {@link org.fastpath.zcr.ZeroCopyFileSystem} and the off-heap reader. One line in
 * {@code hbase-site.xml} of the RegionServers installs this class:
 *
 * <pre>{@code
 * hbase.coprocessor.user.region.classes = org.fastpath.zcr.hbase.MappedBlocks
 * }</pre>
 *
 * <p>The off-heap reader gets the blocks from {@link MappedBlockSources} and reads them. If it does
 * not read a store, HBase does. This class counts the files of such stores.
 */
public class MappedBlocks implements RegionCoprocessor, RegionObserver {
  /** Whether mappings are searched for blocks; read from the configuration of a store. */
  public static final String ENABLED = "hbase.fastpath.zcr-blocks.enabled";

  /**
   * Whether blocks may be outside of locked memory; read from the configuration of a store. Do not
   * use it for data that matters. The kernel may drop a verified page and read it from the disk
   * again. A thread in such a page fault delays safepoints.
   */
  public static final String UNLOCKED = "hbase.fastpath.zcr-blocks.unlocked";

  /**
   * The limit of direct memory for indexes beside mappings, in bytes; read from the configuration
   * of a RegionServer. 0 disables indexes.
   */
  public static final String INDEX_SIZE = "hbase.fastpath.zcr-blocks.index-size";

  /** The prefix of the off-heap reader's class names; these classes are in another jar. */
  private static final String OFF_HEAP_READERS = "org.apache.hadoop.hbase.regionserver.OffHeap";

  private static volatile boolean asked;

  private final Optional<RegionObserver> self = Optional.of(this);

  /** Called by HBase. */
  public MappedBlocks() {}

  /** Returns whether the configuration of this process enables mapped blocks. */
  static boolean isAsked() {
    return asked;
  }

  /** Enables mapped blocks in this process. */
  static void ask() {
    asked = true;
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    ask();
    BlockMetrics.register();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return self;
  }

  /** Sees HBase's new reader before any scanner uses it. */
  @Override
  @SuppressWarnings("deprecation")
  public StoreFileReader postStoreFileReaderOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      FileSystem fs,
      Path path,
      FSDataInputStreamWrapper streams,
      long size,
      CacheConfig cacheConf,
      Reference reference,
      StoreFileReader reader) {
    if (!reader.getClass().getName().startsWith(OFF_HEAP_READERS)) {
      BlockMetrics.stockFile(StockFile.OTHER_READER);
      BlockSupport.unused(
          "the off-heap reader is off; set hbase.fastpath.offheap-reader.enabled to true"
              + " and put hbase-offheap-read.jar on the class path");
    }
    return reader;
  }
}
