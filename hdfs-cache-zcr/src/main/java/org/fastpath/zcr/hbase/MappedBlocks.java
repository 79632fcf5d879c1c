package org.fastpath.zcr.hbase;

import java.io.IOException;
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
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.MappedHFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileReaders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads data blocks that a DataNode of this machine holds in locked memory without a copy, and
 * keeps them out of HBase's block cache. Put in, beside {@link org.fastpath.zcr.ZeroCopyFileSystem}
 * and for all user tables, by one line in {@code hbase-site.xml} of the RegionServers:
 *
 * <pre>{@code
 * hbase.coprocessor.user.region.classes = org.fastpath.zcr.hbase.MappedBlocks
 * }</pre>
 *
 * <p>It looks at store files as they are opened, and puts a {@link MappedHFileReader} in front of
 * HBase's reader of those that it can serve. What goes wrong stays here, a wrong key too: that file
 * is then read by HBase.
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

  private static final Logger LOG = LoggerFactory.getLogger(MappedBlocks.class);

  private final Optional<RegionObserver> self = Optional.of(this);

  /** For HBase. */
  public MappedBlocks() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
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
    if (!BlockSupport.available()) {
      return reader;
    }
    try {
      BlockOptions options = BlockOptions.of(StoreFileReaders.conf(reader));
      Optional<StockFile> obstacle = obstacle(options, streams, reader);
      obstacle.ifPresent(BlockMetrics::stockFile);
      return obstacle.isPresent() ? reader : mapped(options, reader, cacheConf);
    } catch (BlockConfigurationException e) {
      BlockMetrics.misconfigured();
      LOG.error("Blocks of {} are read by HBase: {}", path, e.getMessage());
    } catch (IOException | RuntimeException | LinkageError e) {
      BlockMetrics.failed(path, e);
    }
    return reader;
  }

  private static Optional<StockFile> obstacle(
      BlockOptions options, FSDataInputStreamWrapper streams, StoreFileReader reader) {
    HFileContext file = reader.getHFileReader().getFileContext();
    StockFile obstacle = null;
    if (!options.enabled()) {
      obstacle = StockFile.EXCLUDED;
    } else if (!StoreFileReaders.isStock(reader)) {
      obstacle = StockFile.OTHER_READER;
    } else if (file.isCompressedOrEncrypted()) {
      obstacle = StockFile.PACKED;
    } else if (!file.isUseHBaseChecksum()) {
      obstacle = StockFile.UNCHECKED;
    } else if (MappedFile.stream(streams) == null) {
      obstacle = StockFile.STOCK_STREAM;
    }
    return Optional.ofNullable(obstacle);
  }

  private static StoreFileReader mapped(
      BlockOptions options, StoreFileReader reader, CacheConfig cacheConf) throws IOException {
    HFile.Reader stock = reader.getHFileReader();
    MappedFile blocks =
        new MappedFile(stock, cacheConf.getByteBuffAllocator(), options.lockedOnly());
    StoreFileReader mapped = StoreFileReaders.over(new MappedHFileReader(stock, blocks), reader);
    blocks.opened();
    return mapped;
  }
}
