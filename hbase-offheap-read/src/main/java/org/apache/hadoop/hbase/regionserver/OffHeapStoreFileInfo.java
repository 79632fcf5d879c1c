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
import org.fastpath.offheap.reader.ReaderMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store file whose readers are ours. Takes the place of the {@code StoreFileInfo} that HBase made
 * of it, before that one is used: it is equal to it, opens the file as it does, and counts the
 * file's users in its stead. Made without looking at the file system, by the one constructor that
 * each version of HBase has.
 *
 * <p>As safe as the class above it.
 */
final class OffHeapStoreFileInfo extends StoreFileInfo {
  private static final Logger LOG = LoggerFactory.getLogger(OffHeapStoreFileInfo.class);
  private static final VarHandle LINK = link();

  /** So much of a file has to be cached for a scan to do without a stream. */
  private static final double CACHED = 0.9;

  private final StoreFileInfo given;

  /** A reader of a closed store that is still read; null if there is none. */
  private final AtomicReference<StoreFileReader> abandoned = new AtomicReference<>();

  /** What the reader that all share reads; null until there is one. */
  private volatile OpenedFile opened;

  /**
   * A file that is open.
   *
   * @param cache null if there is none of ours
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
   * Made by the one that is given, which is told whether the region is a primary replica, as this
   * one cannot be; or for a scan that need not stream.
   */
  @Override
  ReaderContext createReaderContext(boolean doDropBehind, long readahead, ReaderType type)
      throws IOException {
    OpenedFile file = opened;
    if (type == ReaderType.STREAM && file != null && isCached(file)) {
      ReaderMetrics.streamSpared();
      return OffHeapStoreFileStreams.share(file.context());
    }
    return given.createReaderContext(doDropBehind, readahead, type);
  }

  private boolean isCached(OpenedFile file) {
    return file.cache() != null
        && file.cache().cachedBytes(file.context().getFilePath().getName())
            >= CACHED * getHFileInfo().getTrailer().getTotalUncompressedBytes();
  }

  /**
   * Closes a reader of a store that was closed as soon as no scanner reads the file. HBase forgets
   * a compacted file that a scanner reads when it closes the store, and nothing closes it.
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
      // The scanner that was the last must end all the same.
      LOG.warn("The compacted file {} could not be closed", getPath(), e);
    }
  }

  @Override
  public long getSize() {
    return given.getSize();
  }
}
