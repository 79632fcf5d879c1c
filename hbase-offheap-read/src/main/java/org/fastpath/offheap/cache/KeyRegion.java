package org.fastpath.offheap.cache;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * Reads the region of a block from its key. Keys of HBase 2.6.1 to 2.6.4 know the path of the file,
 * later ones the region, and earlier ones neither. Asked about once per file.
 */
final class KeyRegion {
  private static final MethodHandle PATH = getter("getFilePath", Path.class);
  private static final MethodHandle REGION = getter("getRegionName", String.class);

  private KeyRegion() {}

  private static MethodHandle getter(String name, Class<?> type) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(BlockCacheKey.class, name, MethodType.methodType(type));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Returns the encoded name of the region; null if the key does not know it. */
  static String of(BlockCacheKey key) {
    try {
      if (REGION != null) {
        String region = (String) REGION.invokeExact(key);
        return HConstants.HBASE_TEMP_DIRECTORY.equals(region) ? null : region;
      }
      return PATH == null ? null : of((Path) PATH.invokeExact(key));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the key of a block does not answer", e);
    }
  }

  /** Returns the region of a path, also of one in the region's directory for new files. */
  private static String of(Path file) {
    Path region = file == null || file.getParent() == null ? null : file.getParent().getParent();
    boolean isNew = region != null && region.getName().equals(HConstants.HBASE_TEMP_DIRECTORY);
    Path directory = isNew ? region.getParent() : region;
    return directory == null ? null : directory.getName();
  }
}
