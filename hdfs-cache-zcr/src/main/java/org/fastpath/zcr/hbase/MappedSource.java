package org.fastpath.zcr.hbase;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.offheap.cache.PinnedBlock;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.AddressedBlock;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.BlockSource;
import org.fastpath.offheap.reader.MemoryOnly;
import org.fastpath.zcr.MappedPlace;
import org.fastpath.zcr.Slice;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * Provides the off-heap reader with the blocks of a {@link MappedFile} and their indexes. The first
 * read of a block in its mapping verifies the checksums and builds the index. Later reads find a
 * {@link MappedIndex} record.
 *
 * <p>Thread-safe.
 */
final class MappedSource implements BlockSource {
  private static final int UNKNOWN = -1;

  /** Larger blocks are verified in pieces and have no index. */
  private static final int MAX_COPIED = 4 << 20;

  /** More wrong blocks than this are verified again at each read. */
  private static final int MAX_WRONG = 1024;

  private final MappedFile file;
  private final LongConsumer firstRead;

  /**
   * Offsets of blocks that are wrong in a mapping. HBase reads them from HDFS, and a cache keeps
   * them.
   */
  private final Set<Long> wrong = ConcurrentHashMap.newKeySet();

  /**
   * Serves a file.
   *
   * @param firstRead receives the offset of each block at its first read in a mapping
   */
  MappedSource(MappedFile file, LongConsumer firstRead) {
    this.file = file;
    this.firstRead = firstRead;
  }

  @Override
  public HFileBlock dataBlock(long offset, boolean caching) {
    if (isWrong(offset)) {
      return null;
    }
    try {
      ZeroCopyInputStream stream = file.stream();
      try (MappedPlace place = stream == null ? null : stream.mapped(offset)) {
        return place == null ? null : block(place, offset);
      }
    } catch (NotServedException e) {
      refuse(e.why(), offset);
    } catch (RuntimeException | InternalError | LinkageError e) {
      BlockMetrics.failed(file.path(), offset, e);
    }
    return null;
  }

  /** Maps the replica. */
  @Override
  public boolean prepare(long offset) {
    if (isWrong(offset)) {
      return false;
    }
    try {
      ZeroCopyInputStream stream = file.stream();
      try (MappedPlace place = stream == null ? null : stream.map(offset)) {
        if (place == null) {
          BlockMetrics.stockRead(StockRead.UNMAPPED, file.path(), offset);
        }
        return place != null;
      }
    } catch (RuntimeException | InternalError | LinkageError e) {
      BlockMetrics.failed(file.path(), offset, e);
      return false;
    }
  }

  private boolean isWrong(long offset) {
    return !wrong.isEmpty() && wrong.contains(offset);
  }

  private void refuse(StockRead why, long offset) {
    boolean isWrong = why == StockRead.MISMATCH || why == StockRead.MALFORMED;
    if (isWrong && wrong.size() < MAX_WRONG) {
      wrong.add(offset);
    }
    BlockMetrics.stockRead(why, file.path(), offset);
  }

  private HFileBlock block(MappedPlace place, long offset) throws NotServedException {
    if (file.lockedOnly() && !place.isVerified()) {
      throw StockRead.UNMAPPED.exception();
    }
    if (!place.wasWhole()) {
      throw StockRead.TRUNCATED.exception();
    }
    MappedIndex index = MappedIndex.of(place);
    long record = index.find(place.offset());
    if (record != MappedIndex.NONE) {
      BlockMetrics.verified(true);
      return block(place, offset, index, record);
    }
    if (place.left() < BlockHeader.LENGTH) {
      return several(place, offset);
    }
    BlockHeader header = header(place);
    int size = header.sizeWithoutHeader() + BlockHeader.LENGTH;
    if (size > Math.min(place.left(), MAX_COPIED)) {
      return several(place, offset);
    }
    header.require(file.type(), size);
    return place.verified().contains(place.offset())
        ? unindexed(place, offset, header, true)
        : firstRead(place, offset, header, index);
  }

  private static BlockHeader header(MappedPlace place) throws NotServedException {
    return BlockHeader.of(copy(place, BlockHeader.LENGTH));
  }

  private static byte[] copy(MappedPlace place, int bytes) throws NotServedException {
    byte[] copy = new byte[bytes];
    if (!place.copy(copy, bytes)) {
      throw StockRead.TRUNCATED.exception();
    }
    return copy;
  }

  /** Returns a block that continues in another HDFS block or is too large for one copy. */
  private HFileBlock several(MappedPlace place, long offset) throws NotServedException {
    place.close();
    return MemoryOnly.isOn() ? null : file.parted(offset);
  }

  /**
   * Verifies a block and builds its index from one copy. So the index describes the verified bytes
   * even if the replica changes meanwhile.
   */
  private HFileBlock firstRead(
      MappedPlace place, long offset, BlockHeader header, MappedIndex index)
      throws NotServedException {
    int size = header.sizeWithoutHeader() + BlockHeader.LENGTH;
    byte[] bytes = copy(place, Math.min(size + BlockHeader.LENGTH, place.left()));
    if (!BlockHeader.of(bytes).equals(header)) {
      throw StockRead.TRUNCATED.exception();
    }
    BlockChecksums.verify(bytes, header);
    BlockMetrics.verified(false);
    int next = bytes.length < size + BlockHeader.LENGTH ? UNKNOWN : nextSize(bytes, size);
    ByteBuffer made = index(bytes, offset, header);
    long record = index.add(place.offset(), size, next, header, made);
    firstRead.accept(offset);
    BlockMetrics.indexed(record != MappedIndex.NONE && index.hasIndex(record));
    if (record == MappedIndex.NONE) {
      place.verified().add(place.offset());
      return unindexed(place, offset, header, false);
    }
    return block(place, offset, index, record);
  }

  private static int nextSize(byte[] bytes, int size) {
    int next = BlockHeader.sizeIn(Arrays.copyOfRange(bytes, size, size + BlockHeader.LENGTH));
    return next < BlockHeader.LENGTH ? UNKNOWN : next;
  }

  private ByteBuffer index(byte[] bytes, long offset, BlockHeader header) {
    ByteBuffer data = ByteBuffer.wrap(bytes, 0, header.dataSizeWithHeader()).slice();
    HFileBlock copy =
        new HFileBlock(
            header.type(),
            header.sizeWithoutHeader(),
            header.uncompressedSizeWithoutHeader(),
            header.previousOffset(),
            new SingleByteBuff(data),
            HFileBlock.DONT_FILL_HEADER,
            offset,
            UNKNOWN,
            header.dataSizeWithHeader(),
            file.context(header.checksumType(), header.bytesPerChecksum()),
            ByteBuffAllocator.HEAP);
    return BlockIndexer.ofThread().index(copy);
  }

  /** Returns a block without an index, which HBase's reader walks. */
  private HFileBlock unindexed(
      MappedPlace place, long offset, BlockHeader header, boolean remembered) {
    if (remembered) {
      BlockMetrics.verified(true);
    }
    return pinned(
        place,
        offset,
        header.sizeWithoutHeader() + BlockHeader.LENGTH,
        UNKNOWN,
        header.previousOffset(),
        header.dataSizeWithHeader(),
        file.context(header.checksumType(), header.bytesPerChecksum()),
        null);
  }

  private HFileBlock block(MappedPlace place, long offset, MappedIndex index, long record) {
    return pinned(
        place,
        offset,
        index.size(record),
        index.nextSize(record),
        index.previousOffset(record),
        index.dataSizeWithHeader(record),
        file.context(
            ChecksumType.codeToType(index.checksumType(record)), index.bytesPerChecksum(record)),
        index.index(record));
  }

  private HFileBlock pinned(
      MappedPlace place,
      long offset,
      int size,
      int next,
      long previousOffset,
      int dataSize,
      HFileContext context,
      Memory index) {
    ByteBuffAllocator allocator = file.allocator();
    BlockType type = file.type();
    Slice slice = place.slice(dataSize);
    PinnedBlock block = null;
    try {
      block =
          new PinnedBlock(
              type,
              size - BlockHeader.LENGTH,
              dataSize - BlockHeader.LENGTH,
              previousOffset,
              offset,
              next,
              dataSize,
              context,
              allocator,
              new MappedHold(slice, index),
              dataSize,
              index == null ? AddressedBlock.NO_INDEX : 0);
    } finally {
      if (block == null) {
        slice.close();
      }
    }
    BlockMetrics.served(size, false);
    return block;
  }

  @Override
  public int heldSize(long offset) {
    if (isWrong(offset)) {
      return 0;
    }
    try {
      ZeroCopyInputStream stream = file.stream();
      try (MappedPlace place = stream == null ? null : stream.map(offset)) {
        return place == null || file.lockedOnly() && !place.isVerified() ? 0 : size(place);
      }
    } catch (NotServedException e) {
      return 0;
    } catch (RuntimeException | InternalError | LinkageError e) {
      BlockMetrics.failed(file.path(), offset, e);
      return 0;
    }
  }

  /** Maps one HDFS block after another, up to the first that is not in memory. */
  @Override
  public long heldBytes() {
    long held = 0;
    try {
      ZeroCopyInputStream stream = file.stream();
      while (stream != null && held < file.length()) {
        try (MappedPlace place = stream.map(held)) {
          if (place == null || file.lockedOnly() && !place.isVerified()) {
            break;
          }
          held += place.left();
        }
      }
    } catch (RuntimeException | InternalError | LinkageError e) {
      BlockMetrics.failed(file.path(), held, e);
    }
    return held;
  }

  /**
   * Returns the size of the block, or 0 if it continues in another HDFS block, which may not be
   * mapped.
   */
  private int size(MappedPlace place) throws NotServedException {
    if (place.left() < BlockHeader.LENGTH) {
      return 0;
    }
    BlockHeader header = header(place);
    int size = header.sizeWithoutHeader() + BlockHeader.LENGTH;
    return header.type() == file.type() && size <= place.left() ? size : 0;
  }

  @Override
  public void close() {
    file.close();
  }
}
