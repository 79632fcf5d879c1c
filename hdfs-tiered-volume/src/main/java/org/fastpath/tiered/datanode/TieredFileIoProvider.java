package org.fastpath.tiered.datanode;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX;
import org.apache.hadoop.io.nativeio.NativeIOException;

/**
 * HDFS's file I/O that writes large packets in pieces, and omits write-behind and drop-behind on
 * volumes of configured types.
 *
 * <p>HDFS has one setting of each for a whole DataNode. Writing behind ({@code sync_file_range})
 * keeps a hard disk's queue even. On an SSD it only makes requests smaller, since an SSD has no
 * seeks to save. Dropping data after a large read or write leaves the page cache to others. A tier
 * that is read again and again should keep its data in the cache. So the DataNode's settings are
 * on, and this class limits them to some types.
 *
 * <p>Both are advice: correctness does not depend on it. A sync that a client or {@code
 * dfs.datanode.synconclose} requests is never omitted. Thread-safe.
 */
final class TieredFileIoProvider extends FileIoProvider {
  private final KernelAdvice advice;

  /**
   * Replaces the provider of a DataNode and keeps its hooks.
   *
   * @throws ReflectiveOperationException if the provider of this Hadoop version differs
   */
  TieredFileIoProvider(FileIoProvider before, KernelAdvice advice)
      throws ReflectiveOperationException {
    super(null, null);
    this.advice = advice;
    for (Field field : FileIoProvider.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        field.set(this, field.get(before));
      }
    }
    KernelAdviceMetrics.register();
  }

  /** Opens the data or checksums of a replica. */
  @Override
  public FileOutputStream getFileOutputStream(FsVolumeSpi volume, FileDescriptor file) {
    return new PiecewiseOutputStream(file, super.getFileOutputStream(volume, file));
  }

  @Override
  public void syncFileRange(
      FsVolumeSpi volume, FileDescriptor file, long offset, long bytes, int flags)
      throws NativeIOException {
    boolean wanted = volume == null || advice.writeBehind().contains(volume.getStorageType());
    KernelAdviceMetrics.writeBehind(wanted);
    if (wanted) {
      super.syncFileRange(volume, file, offset, bytes, flags);
    }
  }

  @Override
  public void posixFadvise(
      FsVolumeSpi volume,
      String identifier,
      FileDescriptor file,
      long offset,
      long length,
      int flags)
      throws NativeIOException {
    if (flags == POSIX.POSIX_FADV_DONTNEED) {
      boolean wanted = volume == null || advice.dropBehind().contains(volume.getStorageType());
      KernelAdviceMetrics.dropBehind(wanted);
      if (!wanted) {
        return;
      }
    }
    super.posixFadvise(volume, identifier, file, offset, length, flags);
  }
}
