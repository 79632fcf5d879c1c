package org.fastpath.offheap.restart;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.fastpath.offheap.memory.ExtentDescriptor;

/**
 * Where things are in the cache's file, from its configuration.
 *
 * <pre>
 *  +------------+-----------------+---------------------+- - -+---------------------------+
 *  | superblock | names           | records             |     | data                      |
 *  | 4 KiB      | 256 B a file    | 64 B an entry       |     | extents (ExtentDescriptor)|
 *  +------------+-----------------+---------------------+- - -+---------------------------+
 *  0            4 KiB             recordsAt                   dataAt, at 2 MiB
 * </pre>
 *
 * <p>Nothing lies across a multiple of 1 GiB but the data, so that the tables can be mapped in
 * pieces.
 *
 * @param dataBytes bytes for blocks
 * @param regionBytes in regions of so many
 * @param entries the most blocks
 */
public record CacheFileLayout(long dataBytes, int regionBytes, int entries) {
  /** Data begins where a huge page does, so that it can lie in huge pages. */
  private static final long DATA_ALIGNMENT = 2 << 20;

  private static final int LEAST_NAMES = 1024;

  /** Files have more blocks than that on average; of those beyond, nothing is recorded. */
  private static final int ENTRIES_PER_NAME = 64;

  /** The most files. */
  public int names() {
    return Math.max(LEAST_NAMES, entries / ENTRIES_PER_NAME);
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

  /** All that decides what the bytes in the file mean, but for the format's version. */
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
