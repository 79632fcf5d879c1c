package org.fastpath.tiered.datanode;

import java.io.FileDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.nativeio.NativeIO.POSIX;
import org.apache.hadoop.io.nativeio.NativeIOException;

/**
 * HDFS's way to files, which leaves out write-behind and drop-behind on volumes of types for which
 * they are not wanted.
 *
 * <p>HDFS has one setting of each for a whole DataNode. Writing behind ({@code sync_file_range})
 * keeps a hard disk's queue even, but costs an SSD, which has no seeks to save, requests that could
 * be larger; what is dropped behind a large read or write leaves the page cache to others, but a
 * tier that is there to be read again and again should not have it dropped. So the DataNode's
 * settings are switched on, and here is said for which types.
 *
 * <p>Both are advice: nothing depends on whether the kernel gets it. A sync that a client or {@code
 * dfs.datanode.synconclose} asks for is never left out. Safe from any thread.
 */
final class TypedFileIoProvider extends FileIoProvider {
  private final KernelAdvice advice;

  /**
   * Takes the place of a DataNode's own, with whatever has hooked into that one.
   *
   * @throws ReflectiveOperationException if this Hadoop's is another one
   */
  TypedFileIoProvider(FileIoProvider before, KernelAdvice advice)
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
