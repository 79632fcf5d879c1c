package org.fastpath.zcr.hbase;

import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.fastpath.offheap.reader.BlockSource;
import org.fastpath.offheap.reader.BlockSourceProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the off-heap reader with the data blocks that a local DataNode holds in locked memory.
 * If both jars are on the class path, the reader finds this class as a service. Otherwise nothing
 * loads it.
 */
public final class MappedBlockSources implements BlockSourceProvider {
  private static final Logger LOG = LoggerFactory.getLogger(MappedBlockSources.class);

  /** Called by the ServiceLoader. */
  public MappedBlockSources() {}

  @Override
  public BlockSource open(
      HFile.Reader file, ByteBuffAllocator allocator, Configuration store, LongConsumer firstRead) {
    if (!MappedBlocks.isAsked() || !BlockSupport.available()) {
      return null;
    }
    BlockSupport.used();
    try {
      BlockOptions options = BlockOptions.of(store);
      Optional<StockFile> obstacle = obstacle(options, file);
      if (obstacle.isPresent()) {
        BlockMetrics.stockFile(obstacle.get());
        return null;
      }
      IndexBudget.limit(options.indexBytes());
      MappedFile mapped = new MappedFile(file, allocator, options.lockedOnly());
      mapped.opened();
      return new MappedSource(mapped, firstRead);
    } catch (BlockConfigurationException e) {
      BlockMetrics.misconfigured();
      LOG.error(
          "HBase reads all blocks of {}, because a key is invalid: {}",
          file.getPath(),
          e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      BlockMetrics.failed(file.getPath(), e);
    }
    return null;
  }

  /** Returns the reason if no block of a file can be read from mappings. */
  static Optional<StockFile> obstacle(BlockOptions options, HFile.Reader file) {
    HFileContext context = file.getFileContext();
    StockFile obstacle = null;
    if (!options.enabled()) {
      obstacle = StockFile.EXCLUDED;
    } else if (context.isCompressedOrEncrypted()) {
      obstacle = StockFile.PACKED;
    } else if (!context.isUseHBaseChecksum()) {
      obstacle = StockFile.UNCHECKED;
    } else if (MappedFile.stream(file.getContext().getInputStreamWrapper()) == null) {
      obstacle = StockFile.STOCK_STREAM;
    }
    return Optional.ofNullable(obstacle);
  }
}
