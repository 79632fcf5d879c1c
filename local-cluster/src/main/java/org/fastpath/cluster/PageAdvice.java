package org.fastpath.cluster;

import java.io.FileDescriptor;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX;
import org.apache.hadoop.io.nativeio.NativeIOException;

/**
 * Makes a {@link PageCache} follow a DataNode's advice to drop pages of blocks. HBase requests this
 * for files of compactions. The kernel does not get the advice, because the model is independent of
 * it.
 *
 * <p>Only {@link SlowVolumesPlugin} loads it, in the DataNode. Thread-safe.
 */
final class PageAdvice extends POSIX.CacheManipulator {
  private static final String BLOCK = "blk_";

  private final POSIX.CacheManipulator others;
  private final PageCache pages;

  private PageAdvice(POSIX.CacheManipulator others, PageCache pages) {
    this.others = others;
    this.pages = pages;
  }

  static void install(PageCache pages) {
    POSIX.setCacheManipulator(new PageAdvice(POSIX.getCacheManipulator(), pages));
  }

  @Override
  public void posixFadviseIfPossible(
      String identifier, FileDescriptor file, long offset, long length, int flags)
      throws NativeIOException {
    if (flags == POSIX.POSIX_FADV_DONTNEED && identifier.startsWith(BLOCK)) {
      pages.drop(Long.parseLong(identifier.substring(BLOCK.length())), offset + length);
    } else {
      others.posixFadviseIfPossible(identifier, file, offset, length, flags);
    }
  }

  @Override
  public long getMemlockLimit() {
    return others.getMemlockLimit();
  }
}
