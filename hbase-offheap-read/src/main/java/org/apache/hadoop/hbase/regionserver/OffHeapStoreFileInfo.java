package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;

/**
 * A store file whose readers are ours. Takes the place of the {@code StoreFileInfo} that HBase made
 * of it, before that one is used: it is equal to it, opens the file as it does, and counts the
 * file's users in its stead. Made without looking at the file system, by the one constructor that
 * each version of HBase has.
 *
 * <p>As safe as the class above it.
 */
final class OffHeapStoreFileInfo extends StoreFileInfo {
  private static final VarHandle LINK = link();

  private final StoreFileInfo given;

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
    return isReference()
        ? new OffHeapHalfStoreFileReader(context, cacheConf, this)
        : new OffHeapStoreFileReader(context, cacheConf, this);
  }

  /** Which is told whether the region is a primary replica, as this one cannot be. */
  @Override
  ReaderContext createReaderContext(boolean doDropBehind, long readahead, ReaderType type)
      throws IOException {
    return given.createReaderContext(doDropBehind, readahead, type);
  }

  @Override
  public long getSize() {
    return given.getSize();
  }
}
