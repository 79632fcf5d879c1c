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
 * Asks for data blocks that a DataNode of this machine holds in locked memory: they are read
 * without a copy, and kept out of HBase's block cache. Put in, beside {@link
 * org.fastpath.zcr.ZeroCopyFileSystem} and the off-heap reader, by one line in {@code
 * hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.coprocessor.user.region.classes = org.fastpath.zcr.hbase.MappedBlocks
 * }</pre>
 *
 * <p>The off-heap reader reads the blocks: {@link MappedBlockSources} gives them to it. A store
 * that it does not read is read by HBase. This class counts the files of such stores.
 */
public class MappedBlocks implements RegionCoprocessor, RegionObserver {
  /** Whether blocks are looked for in mappings, in the configuration of a store. */
  public static final String ENABLED = "hbase.fastpath.zcr-blocks.enabled";

  /**
   * Whether blocks need not be in locked memory, in the configuration of a store whose bytes nobody
   * needs. Not for data: what is verified once may be read from the disk once more, and whoever
   * reads it then holds up safepoints.
   */
  public static final String UNLOCKED = "hbase.fastpath.zcr-blocks.unlocked";

  /**
   * Bytes of direct memory for indexes of blocks beside mappings, in the configuration of a
   * RegionServer. 0 means no indexes.
   */
  public static final String INDEX_SIZE = "hbase.fastpath.zcr-blocks.index-size";

  /** The readers of the off-heap reader, which is in another jar. */
  private static final String OFF_HEAP_READERS = "org.apache.hadoop.hbase.regionserver.OffHeap";

  private static volatile boolean asked;

  private final Optional<RegionObserver> self = Optional.of(this);

  /** For HBase. */
  public MappedBlocks() {}

  /** Returns whether the configuration of this process asks for mapped blocks. */
  static boolean isAsked() {
    return asked;
  }

  /** Asks for mapped blocks in this process. */
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

  /** HBase's reader is there and nobody has it yet. */
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
          "the off-heap reader reads no store; set hbase.fastpath.offheap-reader.enabled to true"
              + " and put hbase-offheap-read.jar on the class path");
    }
    return reader;
  }
}
