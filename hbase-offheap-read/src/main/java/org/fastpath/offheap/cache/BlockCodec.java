package org.fastpath.offheap.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializerIdManager;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.fastpath.offheap.reader.AddressedBlock;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.IndexedBlock;

/**
 * Writes a block into its place in the cache and makes a block of what is there: the same bytes,
 * not copied, with a reference count that holds them.
 *
 * <p>Of an {@link HFileBlock}, its header and contents are in the cache's memory as they were; what
 * HBase appends when it serializes a block (its offset, whether it has checksums, the size of the
 * next block) is in the entry. Its header is decoded here and not by {@link
 * HFileBlock#BLOCK_DESERIALIZER}, which makes a file context, a builder of one and two views of the
 * buffer for each hit: a context is shared by all blocks with the same kind of checksums, as nobody
 * changes a cached block's.
 *
 * <p>An index of the block's cells, if it is given one, is kept behind the block: see {@link
 * IndexedBlock}. A block in several parts keeps it too, and has no use for it.
 *
 * <p>Whatever else is cacheable, and a block that is not at its key's offset (HBase's own tests
 * have such), is kept serialized and copied on each hit.
 *
 * <p>Safe from any thread.
 */
final class BlockCodec {
  private static final int HAS_CHECKSUM = 1;
  private static final int MULTI_PART = 2;
  private static final int SECONDARY = 4;
  private static final int GENERIC = 8;
  private static final int RESTORED = 16;
  private static final int UNVERIFIED = 32;
  private static final int INDEXED = 64;

  /** What a block that comes back keeps; the rest depends on where it lies. */
  private static final int LASTING = HAS_CHECKSUM | SECONDARY | INDEXED;

  /** The first allocator but the heap's that a block comes with, when there is one. */
  private static final byte FIRST_POOLED = 1;

  // Header fields, big-endian: see HFileBlock.Header.
  private static final int ON_DISK_SIZE = 8;
  private static final int UNCOMPRESSED_SIZE = 12;
  private static final int PREVIOUS_OFFSET = 16;
  private static final int CHECKSUM_TYPE = 24;
  private static final int BYTES_PER_CHECKSUM = 25;
  private static final int ON_DISK_DATA_SIZE = 29;

  // What HBase appends: see HFileBlock.getMetaData.
  private static final int OFFSET = 1;
  private static final int NEXT_BLOCK_ON_DISK_SIZE = OFFSET + Long.BYTES;

  private static final BlockType[] TYPES = BlockType.values();

  /** The kind of context that nearly all cached blocks have: checksums were there, are verified. */
  private static final HFileContext VERIFIED = context(true, ChecksumType.NULL, 0);

  private static final HFileContext WITHOUT_CHECKSUMS = context(false, ChecksumType.NULL, 0);

  private final Entries entries;
  private final ExtentAllocator extents;

  /** Null unless in debug mode. */
  private final PinTracker tracker;

  /** Who gives memory to unpack blocks; an entry has the index. There are one or two. */
  private volatile ByteBuffAllocator[] allocators = {ByteBuffAllocator.HEAP};

  /**
   * @param tracker of blocks in readers' hands; null for none
   */
  BlockCodec(Entries entries, ExtentAllocator extents, PinTracker tracker) {
    this.entries = entries;
    this.extents = extents;
    this.tracker = tracker;
  }

  /**
   * Bytes that a block takes in the cache's memory; 0 if it cannot be cached.
   *
   * @param asItIs what {@link #isKeptAsItIs} says of it
   * @param index bytes of its index, 0 for none
   */
  static int length(Cacheable block, boolean asItIs, int index) {
    int serialized = block.getSerializedLength();
    int bytes =
        serialized > 0 && asItIs ? serialized - HFileBlock.BLOCK_METADATA_SPACE : serialized;
    return index == 0 ? bytes : BlockIndexer.indexOffset(bytes) + index;
  }

  /** Whether all of it that is not in its bytes is in the entry. */
  static boolean isKeptAsItIs(BlockCacheKey key, Cacheable block) {
    return block instanceof HFileBlock
        && metadata((HFileBlock) block).getLong(OFFSET) == key.getOffset();
  }

  /**
   * Copies a block to its place and fills its entry's fields, before readers see it.
   *
   * @param asItIs what {@link #isKeptAsItIs} says of it
   * @param index its index, empty if it has none
   */
  void write(Cacheable block, boolean asItIs, ByteBuffer index, boolean primary, int entry) {
    long location = entries.location(entry);
    int flags = primary ? 0 : SECONDARY;
    flags |= extents.nextPart(location) == ExtentAllocator.NONE ? 0 : MULTI_PART;
    if (asItIs) {
      HFileBlock hfileBlock = (HFileBlock) block;
      flags |= hfileBlock.getHFileContext().isUseHBaseChecksum() ? HAS_CHECKSUM : 0;
      entries.allocator(entry, allocatorOf(hfileBlock));
      entries.nextBlockOnDiskSize(entry, nextBlockOnDiskSize(hfileBlock));
      copy(hfileBlock.getBufferReadOnly(), location);
      if (index.hasRemaining()) {
        flags |= INDEXED;
        copyToEnd(index, location);
      }
    } else {
      flags |= GENERIC;
      entries.nextBlockOnDiskSize(entry, block.getDeserializer().getDeserializerIdentifier());
      ByteBuffer serialized = ByteBuffer.allocate(entries.length(entry));
      block.serialize(serialized, true);
      serialized.rewind();
      copy(ByteBuff.wrap(new ByteBuffer[] {serialized}, RefCnt.create()), location);
    }
    entries.flags(entry, (byte) flags);
  }

  static int nextBlockOnDiskSize(HFileBlock block) {
    return metadata(block).getInt(NEXT_BLOCK_ON_DISK_SIZE);
  }

  /** What HBase appends to a serialized block: the getters are not public in each version. */
  private static ByteBuffer metadata(HFileBlock block) {
    return block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
  }

  static byte type(Cacheable block) {
    return (byte) block.getBlockType().ordinal();
  }

  /** Fills a place from its beginning. */
  private void copy(ByteBuff from, long location) {
    int copied = 0;
    for (long part = location; part != ExtentAllocator.NONE; part = extents.nextPart(part)) {
      ByteBuffer to = extents.slice(part);
      int bytes = Math.min(to.capacity(), from.limit() - copied);
      if (bytes > 0) {
        from.get(to, copied, bytes);
        copied += bytes;
      }
    }
  }

  /** Fills a place's last bytes, unless it is in parts. */
  private void copyToEnd(ByteBuffer from, long location) {
    if (extents.nextPart(location) == ExtentAllocator.NONE) {
      ByteBuffer to = extents.slice(location);
      to.put(to.capacity() - from.remaining(), from, from.position(), from.remaining());
    }
  }

  /** The number of the allocator that a block came with, which is known from now on. */
  byte allocatorOf(HFileBlock block) {
    ByteBuffAllocator allocator = block.getByteBuffAllocator();
    ByteBuffAllocator[] known = allocators;
    for (int i = 0; i < known.length; i++) {
      if (known[i] == allocator) {
        return (byte) i;
      }
    }
    return remember(allocator);
  }

  private synchronized byte remember(ByteBuffAllocator allocator) {
    ByteBuffAllocator[] known = allocators;
    int index = Arrays.asList(known).indexOf(allocator);
    if (index >= 0) {
      return (byte) index;
    }
    if (allocator == null || known.length > Byte.MAX_VALUE) {
      return 0;
    }
    ByteBuffAllocator[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = allocator;
    allocators = more;
    return (byte) known.length;
  }

  BlockType type(int entry) {
    return TYPES[entries.type(entry)];
  }

  boolean isPrimary(int entry) {
    return (entries.flags(entry) & SECONDARY) == 0;
  }

  /**
   * Makes a block of an entry that the caller holds.
   *
   * @param pin what holds the entry; the block's reference count from now on. It is released here
   *     when the block is a copy, or when this method throws.
   */
  Cacheable read(int entry, BlockPin pin) throws IOException {
    boolean held = false;
    try {
      int flags = entries.flags(entry);
      Cacheable block =
          (flags & GENERIC) == 0
              ? hfileBlock(entry, flags, pin)
              : generic(entries.nextBlockOnDiskSize(entry), buffer(entry, flags, pin));
      held = (flags & GENERIC) == 0;
      return block;
    } finally {
      if (!held) {
        pin.release();
      }
    }
  }

  private HFileBlock hfileBlock(int entry, int flags, BlockPin pin) {
    long header = header(entry);
    if ((flags & (INDEXED | MULTI_PART)) == INDEXED) {
      int length = blockLength(entry, flags);
      return new IndexedBlock(
          type(entry),
          onDiskSize(header),
          uncompressedSize(header),
          previousOffset(header),
          extents.slice(entries.location(entry)),
          length,
          BlockIndexer.indexOffset(length),
          pin,
          entries.offset(entry),
          entries.nextBlockOnDiskSize(entry),
          onDiskDataSize(header, flags),
          context(header, flags),
          allocator(entry));
    }
    return new HFileBlock(
        type(entry),
        onDiskSize(header),
        uncompressedSize(header),
        previousOffset(header),
        buffer(entry, flags, pin),
        HFileBlock.DONT_FILL_HEADER,
        entries.offset(entry),
        entries.nextBlockOnDiskSize(entry),
        onDiskDataSize(header, flags),
        context(header, flags),
        allocator(entry));
  }

  /**
   * A block for the off-heap reader.
   *
   * @param ticket of an entry that the caller holds; the block's from now on
   * @return null, and the ticket stays the caller's, if the block is not a data block in one part
   */
  PinnedBlock pinned(int ticket, BlockTable table) {
    int entry = BlockTable.Ticket.entry(ticket);
    int flags = entries.flags(entry);
    if ((flags & (GENERIC | MULTI_PART)) != 0 || !entries.isData(entry)) {
      return null;
    }
    long header = header(entry);
    return new PinnedBlock(
        type(entry),
        onDiskSize(header),
        uncompressedSize(header),
        previousOffset(header),
        entries.offset(entry),
        entries.nextBlockOnDiskSize(entry),
        onDiskDataSize(header, flags),
        context(header, flags),
        allocator(entry),
        this,
        table,
        ticket);
  }

  /** Its last reader gives the block back. */
  void closed(PinnedBlock block) {
    if (tracker != null) {
      tracker.closed(block);
    }
  }

  private long header(int entry) {
    return extents.partAddress(entries.location(entry));
  }

  private static int onDiskSize(long header) {
    return readInt(header + ON_DISK_SIZE);
  }

  private static int uncompressedSize(long header) {
    return readInt(header + UNCOMPRESSED_SIZE);
  }

  private static long previousOffset(long header) {
    return Long.reverseBytes(OffHeap.getLong(header + PREVIOUS_OFFSET));
  }

  private static int onDiskDataSize(long header, int flags) {
    return (flags & HAS_CHECKSUM) != 0
        ? readInt(header + ON_DISK_DATA_SIZE)
        : onDiskSize(header) + HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
  }

  private static HFileContext context(long header, int flags) {
    return (flags & HAS_CHECKSUM) != 0 ? context(header) : WITHOUT_CHECKSUMS;
  }

  /** All of a block that is in one part, and its index. */
  ByteBuffer memory(int entry) {
    return extents.slice(entries.location(entry));
  }

  /** Where the index of a block in one part begins. */
  int index(int entry) {
    int flags = entries.flags(entry);
    return (flags & INDEXED) == 0
        ? AddressedBlock.NO_INDEX
        : BlockIndexer.indexOffset(blockLength(entry, flags));
  }

  /** A view of a block that the caller holds, which does not hold it. */
  ByteBuff view(int entry) {
    return buffer(entry, entries.flags(entry), RefCnt.create());
  }

  /** Bytes of a block with its header, without an index. */
  private int blockLength(int entry, int flags) {
    if ((flags & INDEXED) == 0) {
      return entries.length(entry);
    }
    return uncompressedSize(header(entry)) + headerLength(flags);
  }

  private static int headerLength(int flags) {
    return (flags & HAS_CHECKSUM) != 0
        ? HConstants.HFILEBLOCK_HEADER_SIZE
        : HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
  }

  private ByteBuffAllocator allocator(int entry) {
    ByteBuffAllocator[] known = allocators;
    int index = entries.allocator(entry);
    return index < known.length ? known[index] : ByteBuffAllocator.HEAP;
  }

  /** A number as HBase writes it. */
  private static int readInt(long address) {
    return Integer.reverseBytes(OffHeap.getInt(address));
  }

  private static HFileContext context(long header) {
    byte type = OffHeap.getByte(header + CHECKSUM_TYPE);
    int bytesPerChecksum = readInt(header + BYTES_PER_CHECKSUM);
    return type == ChecksumType.NULL.getCode() && bytesPerChecksum == 0
        ? VERIFIED
        : context(true, ChecksumType.codeToType(type), bytesPerChecksum);
  }

  private static HFileContext context(boolean checksums, ChecksumType type, int bytesPerChecksum) {
    return new HFileContextBuilder()
        .withHBaseCheckSum(checksums)
        .withChecksumType(type)
        .withBytesPerCheckSum(bytesPerChecksum)
        .build();
  }

  /** The block's bytes, without an index. */
  private ByteBuff buffer(int entry, int flags, RefCnt pin) {
    long location = entries.location(entry);
    int left = blockLength(entry, flags);
    if ((flags & MULTI_PART) == 0) {
      ByteBuffer whole = extents.slice(location);
      return ByteBuff.wrap(
          new ByteBuffer[] {whole.capacity() == left ? whole : whole.slice(0, left)}, pin);
    }
    ByteBuffer[] parts = new ByteBuffer[extents.parts(location)];
    int count = 0;
    for (; left > 0; location = extents.nextPart(location)) {
      ByteBuffer part = extents.slice(location);
      parts[count++] = part.capacity() <= left ? part : part.slice(0, left);
      left -= part.capacity();
    }
    return ByteBuff.wrap(Arrays.copyOf(parts, count), pin);
  }

  private static Cacheable generic(int deserializer, ByteBuff serialized) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(serialized.limit());
    serialized.get(copy, 0, serialized.limit());
    copy.rewind();
    return CacheableDeserializerIdManager.getDeserializer(deserializer)
        .deserialize(
            ByteBuff.wrap(new ByteBuffer[] {copy}, RefCnt.create()), ByteBuffAllocator.HEAP);
  }

  // Blocks of an earlier process.

  /** Fills the fields of an entry whose block was there at the start, but those of its key. */
  void restore(int entry, byte flags, int nextBlockOnDiskSize) {
    boolean whole = extents.nextPart(entries.location(entry)) == ExtentAllocator.NONE;
    entries.flags(
        entry, (byte) (flags & LASTING | RESTORED | UNVERIFIED | (whole ? 0 : MULTI_PART)));
    entries.nextBlockOnDiskSize(entry, nextBlockOnDiskSize);
    entries.allocator(entry, FIRST_POOLED);
  }

  static boolean isType(byte type) {
    return type >= 0 && type < TYPES.length;
  }

  static boolean isData(byte type) {
    return TYPES[type].isData();
  }

  /** Whether the block is of an earlier process. */
  boolean isRestored(int entry) {
    return (entries.flags(entry) & RESTORED) != 0;
  }

  /** Whether it is, and nobody has verified yet that it is what it was. */
  boolean isUnverified(int entry) {
    return (entries.flags(entry) & UNVERIFIED) != 0;
  }

  /** It was verified. Other flags do not change, so threads may do this at the same time. */
  void verified(int entry) {
    entries.flags(entry, (byte) (entries.flags(entry) & ~UNVERIFIED));
  }

  boolean isHFileBlock(int entry) {
    return (entries.flags(entry) & GENERIC) == 0;
  }

  /** CRC32C of the bytes in the cache's memory. */
  int checksum(int entry) {
    CRC32C crc = new CRC32C();
    for (long part = entries.location(entry);
        part != ExtentAllocator.NONE;
        part = extents.nextPart(part)) {
      crc.update(extents.slice(part));
    }
    return (int) crc.getValue();
  }

  /**
   * Whether two blocks are the same block of the same file. The header's fields about checksums are
   * not looked at: up to HBase 2.6.1 they depend on whether a block is cached when it is written or
   * when it is read.
   */
  boolean isSame(int entry, HFileBlock block) {
    int length = blockLength(entry, entries.flags(entry));
    boolean hasChecksum = (entries.flags(entry) & HAS_CHECKSUM) != 0;
    if (block.getBufferReadOnly().limit() != length
        || block.getHFileContext().isUseHBaseChecksum() != hasChecksum) {
      return false;
    }
    ByteBuff cached = view(entry);
    ByteBuff other = block.getBufferReadOnly();
    int contents = hasChecksum ? HConstants.HFILEBLOCK_HEADER_SIZE : CHECKSUM_TYPE;
    return isSame(cached, other, 0, CHECKSUM_TYPE)
        && isSame(cached, other, contents, length - contents);
  }

  private static boolean isSame(ByteBuff a, ByteBuff b, int offset, int length) {
    return ByteBuff.compareTo(a, offset, length, b, offset, length) == 0;
  }

  /** The block's size in its file, header and checksums included; the caller holds the entry. */
  int onDiskSizeWithHeader(int entry) {
    int flags = entries.flags(entry);
    return (flags & GENERIC) != 0
        ? entries.length(entry)
        : onDiskSize(header(entry)) + headerLength(flags);
  }
}
