package org.fastpath.zcr.hbase;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.zcr.ZeroCopyInputStream;

/**
 * An open HFile whose data blocks may be in mappings. It returns them as HBase's blocks over the
 * mapping itself.
 *
 * <p>A block holds its slices until its reference count is zero. The RPC layer releases it after
 * the response. No cache keeps the block, because the mapping is the cache. The first read verifies
 * the checksums, and the mapping remembers the result, because locked memory does not change.
 * Neither checksums nor locks protect from a replica that is truncated on disk. So each read checks
 * that the file is whole, with at most one system call per millisecond and mapping.
 *
 * <p>The file is uncompressed and has HBase's checksums. Thread-safe.
 */
final class MappedFile {
  private static final int UNKNOWN = -1;
  private static final int LARGEST = 1 << 30;

  private final HFile.Reader file;
  private final FSDataInputStreamWrapper streams;
  private final ByteBuffAllocator allocator;
  private final boolean lockedOnly;
  private final AtomicBoolean open = new AtomicBoolean();

  /**
   * The file's context with the checksum type of the last block. All blocks of a file have the same
   * type.
   */
  private volatile HFileContext context;

  /**
   * Wraps a file that a reader has open.
   *
   * @param allocator the allocator of HBase's own blocks of the file
   * @param lockedOnly whether the mapped memory must be locked
   */
  MappedFile(HFile.Reader file, ByteBuffAllocator allocator, boolean lockedOnly) {
    this.file = file;
    this.allocator = allocator;
    this.lockedOnly = lockedOnly;
    streams = file.getContext().getInputStreamWrapper();
    context = file.getFileContext();
  }

  /**
   * Returns the reader's current stream if it can give slices, otherwise null. A link has a stream
   * of the file that it refers to. HBase opens another stream when that file was moved.
   */
  static ZeroCopyInputStream stream(FSDataInputStreamWrapper streams) {
    FSDataInputStream stream = streams.getStream(streams.shouldUseHBaseChecksum());
    if (stream instanceof ZeroCopyInputStream ours) {
      return ours;
    }
    return stream != null
            && FileLink.getUnderlyingFileLinkInputStream(stream) instanceof ZeroCopyInputStream ours
        ? ours
        : null;
  }

  /**
   * Returns the data block at an offset if it spans several mappings or is too large for one copy.
   *
   * @return null if HBase must read the block; otherwise the caller releases it
   */
  HFileBlock parted(long offset) throws NotServedException {
    ZeroCopyInputStream stream = stream();
    if (stream == null) {
      throw StockRead.UNMAPPED.exception();
    }
    int size = sizeAt(stream, offset);
    if (size <= BlockHeader.LENGTH || size > LARGEST) {
      throw StockRead.MALFORMED.exception();
    }
    return block(
        MappedRange.of(stream, offset, size, BlockHeader.LENGTH, lockedOnly), offset, size);
  }

  long length() {
    return file.length();
  }

  Path path() {
    return file.getPath();
  }

  ByteBuffAllocator allocator() {
    return allocator;
  }

  boolean lockedOnly() {
    return lockedOnly;
  }

  /** Returns the file's current stream, or null if it gives no slices. */
  ZeroCopyInputStream stream() {
    return stream(streams);
  }

  /**
   * Returns the type of data blocks. It is valid only after HBase has read the file's properties,
   * at the end of opening.
   */
  BlockType type() {
    return file.getDataBlockEncoding() == DataBlockEncoding.NONE
        ? BlockType.DATA
        : BlockType.ENCODED_DATA;
  }

  private int sizeAt(ZeroCopyInputStream stream, long offset) throws NotServedException {
    try (MappedRange start = MappedRange.of(stream, offset, BlockHeader.LENGTH, 0, lockedOnly)) {
      return BlockHeader.sizeIn(start.header(0));
    }
  }

  /** Makes a block over a range and takes the range over. */
  private HFileBlock block(MappedRange range, long offset, int size) throws NotServedException {
    HFileBlock block = null;
    try {
      range.requireWhole();
      BlockHeader header = BlockHeader.of(range.header(0));
      header.require(type(), size);
      verify(range, header);
      block = block(range, offset, size, header);
      BlockMetrics.served(size, range.isSeveral());
      return block;
    } finally {
      if (block == null) {
        range.close();
      }
    }
  }

  private static void verify(MappedRange range, BlockHeader header) throws NotServedException {
    boolean known = range.isVerified();
    if (!known) {
      BlockChecksums.verify(range, header);
      range.verified();
    }
    BlockMetrics.verified(known);
  }

  private HFileBlock block(MappedRange range, long offset, int size, BlockHeader header)
      throws NotServedException {
    int next = nextSize(range, size);
    return new HFileBlock(
        header.type(),
        header.sizeWithoutHeader(),
        header.uncompressedSizeWithoutHeader(),
        header.previousOffset(),
        range.buffer(header.dataSizeWithHeader(), () -> release(range)),
        HFileBlock.DONT_FILL_HEADER,
        offset,
        next,
        header.dataSizeWithHeader(),
        context(header.checksumType(), header.bytesPerChecksum()),
        allocator);
  }

  private static void release(MappedRange range) {
    BlockMetrics.released();
    range.close();
  }

  /** Returns the size of the next block, which saves a scan one read. The size is not verified. */
  private static int nextSize(MappedRange range, int size) throws NotServedException {
    if (range.length() < size + BlockHeader.LENGTH) {
      return UNKNOWN;
    }
    int next = BlockHeader.sizeIn(range.header(size));
    return next < BlockHeader.LENGTH ? UNKNOWN : next;
  }

  HFileContext context(ChecksumType checksum, int bytesPerChecksum) {
    HFileContext last = context;
    if (last.getChecksumType() != checksum || last.getBytesPerChecksum() != bytesPerChecksum) {
      last =
          new HFileContextBuilder(last)
              .withChecksumType(checksum)
              .withBytesPerCheckSum(bytesPerChecksum)
              .build();
      context = last;
    }
    return last;
  }

  /**
   * Counts the file as open. Only the reader for random reads counts; readers for streaming come
   * and go.
   */
  void opened() {
    if (file.getContext().getReaderType() == ReaderType.PREAD && open.compareAndSet(false, true)) {
      BlockMetrics.opened();
    }
  }

  /** Counts the file as closed. Blocks in use stay valid. */
  void close() {
    if (open.compareAndSet(true, false)) {
      BlockMetrics.closed();
    }
  }
}
