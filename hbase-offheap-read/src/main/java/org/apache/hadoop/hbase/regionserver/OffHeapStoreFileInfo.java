package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.fastpath.offheap.reader.DataBlockSource;
import org.fastpath.offheap.reader.HeldElsewhere;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store file whose readers are ours. It replaces HBase's {@code StoreFileInfo} of the file before
 * that one is used. It equals that object, opens the file in the same way, and counts the file's
 * users in its place. It is created without access to the file system, by the one constructor that
 * each version of HBase has.
 *
 * <p>As thread-safe as its superclass.
 */
final class OffHeapStoreFileInfo extends StoreFileInfo {
  private static final Logger LOG = LoggerFactory.getLogger(OffHeapStoreFileInfo.class);
  private static final VarHandle LINK = link();

  /** A scan needs no stream if at least this part of the file is in memory. */
  private static final double IN_MEMORY = 0.9;

  private final StoreFileInfo given;

  /** A reader of a closed store that scanners still use, or null. */
  private final AtomicReference<StoreFileReader> abandoned = new AtomicReference<>();

  /** The file of the shared reader; null until that reader is open. */
  private volatile OpenedFile opened;

  /**
   * A file that is open.
   *
   * @param cache our cache, or null
   */
  private record OpenedFile(ReaderContext context, DataBlockSource cache) {}

  OffHeapStoreFileInfo(StoreFileInfo given) {
    super(
        given.getConf(),
        given.getFileSystem(),
        new FileStatus(given.getSize(), false, 0, 0, given.getCreatedTimestamp(), given.getPath()),
        given.getReference(),
        (HFileLink) LINK.get(given));
    this.given = given;
  }

  private static VarHandle link() {
    try {
      return MethodHandles.privateLookupIn(StoreFileInfo.class, MethodHandles.lookup())
          .findVarHandle(StoreFileInfo.class, "link", HFileLink.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("StoreFileInfo.link of a verified version", e);
    }
  }

  @Override
  public StoreFileReader createReader(ReaderContext context, CacheConfig cacheConf)
      throws IOException {
    if (isReference()) {
      return new OffHeapHalfStoreFileReader(context, cacheConf, this);
    }
    if (context.getReaderType() == ReaderType.PREAD) {
      opened = new OpenedFile(context, DataBlockSource.in(cacheConf.getBlockCache().orElse(null)));
    }
    return new OffHeapStoreFileReader(context, cacheConf, this);
  }

  /**
   * Creates the context by the replaced object, which knows whether the region is a primary
   * replica. For a scan that need not stream, shares the open streams.
   */
  @Override
  ReaderContext createReaderContext(boolean doDropBehind, long readahead, ReaderType type)
      throws IOException {
    OpenedFile file = opened;
    if (type == ReaderType.STREAM && file != null && isInMemory(file)) {
      ReaderMetrics.streamSpared();
      return OffHeapStoreFileStreams.share(file.context());
    }
    return given.createReaderContext(doDropBehind, readahead, type);
  }

  /** Returns whether cached blocks and those in other memory are nearly the whole file. */
  private boolean isInMemory(OpenedFile file) {
    String name = file.context().getFilePath().getName();
    double cached = file.cache() == null ? 0 : file.cache().cachedBytes(name);
    double part = cached / getHFileInfo().getTrailer().getTotalUncompressedBytes();
    return part >= IN_MEMORY
        || part + (double) HeldElsewhere.bytes(name) / file.context().getFileSize() >= IN_MEMORY;
  }

  /**
   * Closes a reader of a closed store as soon as no scanner reads the file. When HBase closes a
   * store, it forgets a compacted file that a scanner still reads. Nothing else would close that
   * file.
   */
  void closeWhenUnread(StoreFileReader reader) {
    abandoned.set(reader);
    if (getRefCount() == 0) {
      closeAbandoned();
    }
  }

  @Override
  int decreaseRefCount() {
    int left = super.decreaseRefCount();
    if (left == 0) {
      closeAbandoned();
    }
    return left;
  }

  private void closeAbandoned() {
    StoreFileReader reader = abandoned.getAndSet(null);
    if (reader == null) {
      return;
    }
    try {
      reader.close(true);
    } catch (IOException | RuntimeException e) {
      // The last scanner must end without an error.
      LOG.warn("The compacted file {} could not be closed", getPath(), e);
    }
  }

  @Override
  public long getSize() {
    return given.getSize();
  }
}
