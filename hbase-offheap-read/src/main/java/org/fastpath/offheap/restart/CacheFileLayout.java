package org.fastpath.offheap.restart;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.fastpath.offheap.memory.ExtentDescriptor;

/**
 * The layout of the cache's file, from the configuration.
 *
 * <pre>
 *  +------------+-----------------+---------------------+- - -+---------------------------+
 *  | superblock | names           | records             |     | data                      |
 *  | 4 KiB      | 256 B a file    | 64 B an entry       |     | extents (ExtentDescriptor)|
 *  +------------+-----------------+---------------------+- - -+---------------------------+
 *  0            4 KiB             recordsAt                   dataAt, at 2 MiB
 * </pre>
 *
 * <p>Only data crosses a multiple of 1 GiB, so the tables can be mapped in pieces.
 *
 * @param dataBytes bytes for blocks
 * @param regionBytes in regions of so many
 * @param entries maximum number of blocks
 */
public record CacheFileLayout(long dataBytes, int regionBytes, int entries) {
  /** Data begins at a huge page's boundary, so that huge pages can hold it. */
  private static final long DATA_ALIGNMENT = 2 << 20;

  private static final int MIN_NAMES = 1024;

  /** The mean number of blocks per file is larger. Blocks of further files are not recorded. */
  private static final int ENTRIES_PER_NAME = 64;

  /** Returns the maximum number of files. */
  public int names() {
    return Math.max(MIN_NAMES, entries / ENTRIES_PER_NAME);
  }

  public long nameAt(int slot) {
    return SuperblockDescriptor.BYTES + (long) slot * NameDescriptor.BYTES;
  }

  public long recordAt(int entry) {
    return nameAt(names()) + (long) entry * RecordDescriptor.BYTES;
  }

  public long dataAt() {
    return (recordAt(entries) + DATA_ALIGNMENT - 1) & -DATA_ALIGNMENT;
  }

  public long bytes() {
    return dataAt() + dataBytes;
  }

  /** Returns all parameters of the file's format, except its version. */
  public String description() {
    return dataBytes
        + " bytes in regions of "
        + regionBytes
        + ", extents at "
        + ExtentDescriptor.GRANULE
        + ", "
        + entries
        + " blocks, "
        + names()
        + " files, "
        + ByteOrder.nativeOrder()
        + ", block types "
        + Arrays.stream(BlockType.values()).map(BlockType::name).collect(Collectors.joining(" "));
  }
}
