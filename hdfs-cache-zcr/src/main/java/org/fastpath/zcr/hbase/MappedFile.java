package org.fastpath.zcr.hbase;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
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
 * The data blocks of an open HFile that are in mappings, as blocks of HBase over the mapping
 * itself.
 *
 * <p>Such a block holds its slices until its reference count is zero, which the RPC layer sees to
 * when a response is out. It is nowhere cached: the mapping is the cache. Its checksums are
 * verified the first time and the mapping remembers it, since locked memory does not change.
 * Against a replica truncated on disk neither checksums nor locks help; whether the file is whole
 * is asked for every block, of the kernel once a millisecond and mapping.
 *
 * <p>The file is not compressed, and has HBase's checksums. Safe from any thread.
 */
final class MappedFile {
  private static final int UNKNOWN = -1;
  private static final int LARGEST = 1 << 30;

  private final HFile.Reader file;
  private final FSDataInputStreamWrapper streams;
  private final ByteBuffAllocator allocator;
  private final boolean lockedOnly;
  private final AtomicBoolean open = new AtomicBoolean();

  /** The file's, with the checksums that the last block had; those of a file are all the same. */
  private volatile HFileContext context;

  /**
   * Takes a file that a reader has open.
   *
   * @param allocator that HBase's own blocks of it have
   * @param lockedOnly whether the mapped memory must be locked
   */
  MappedFile(HFile.Reader file, ByteBuffAllocator allocator, boolean lockedOnly) {
    this.file = file;
    this.allocator = allocator;
    this.lockedOnly = lockedOnly;
    streams = file.getContext().getInputStreamWrapper();
    context = file.getFileContext();
  }

  /** The stream that a reader reads from now, if it is one that gives slices; or null. */
  static ZeroCopyInputStream stream(FSDataInputStreamWrapper streams) {
    FSDataInputStream stream = streams.getStream(streams.shouldUseHBaseChecksum());
    return stream instanceof ZeroCopyInputStream ours ? ours : null;
  }

  /**
   * The data block at an offset that is in several mappings, or is too large to be copied once.
   *
   * @return null if HBase is to read what is there; else the caller releases it
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

  Path path() {
    return file.getPath();
  }

  ByteBuffAllocator allocator() {
    return allocator;
  }

  boolean lockedOnly() {
    return lockedOnly;
  }

  /** The stream that the file is read from now; null if it gives no slices. */
  ZeroCopyInputStream stream() {
    return stream(streams);
  }

  /** Known when the file's properties have been read, which is after it was opened. */
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

  /** Makes a block of what it takes over. */
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

  /** The size of the next block, which a scan then need not look for; nobody has verified it. */
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

  /** Counts the file as open; readers that stream it come and go beside the one that counts. */
  void opened() {
    if (file.getContext().getReaderType() == ReaderType.PREAD && open.compareAndSet(false, true)) {
      BlockMetrics.opened();
    }
  }

  /** Ends what {@link #opened} began; blocks that are in use stay valid. */
  void close() {
    if (open.compareAndSet(true, false)) {
      BlockMetrics.closed();
    }
  }
}
