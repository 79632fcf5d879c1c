package org.fastpath.offheap.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
import org.fastpath.offheap.index.BlockFlags;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.reader.AddressedBlock;
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.IndexedBlock;
import org.fastpath.offheap.store.HeldBlock;
import org.fastpath.offheap.store.Pin;
import org.fastpath.offheap.store.Reservation;

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
  /** The first allocator but the heap's that a block comes with, when there is one. */
  static final byte FIRST_POOLED = 1;

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

  /** Who gives memory to unpack blocks; an entry has the index. There are one or two. */
  private volatile ByteBuffAllocator[] allocators = {ByteBuffAllocator.HEAP};

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
   * Copies a block to its place and fills the fields of its record, before readers see it.
   *
   * @param asItIs what {@link #isKeptAsItIs} says of it
   * @param index its index, empty if it has none
   */
  void write(
      Cacheable block, boolean asItIs, ByteBuffer index, boolean primary, Reservation place) {
    ByteBuffer[] parts = place.buffers();
    int flags = primary ? 0 : BlockFlags.SECONDARY;
    flags |= parts.length == 1 ? 0 : BlockFlags.MULTI_PART;
    if (asItIs) {
      HFileBlock hfileBlock = (HFileBlock) block;
      boolean checksums = hfileBlock.getHFileContext().isUseHBaseChecksum();
      flags |= checksums ? BlockFlags.HAS_CHECKSUM : 0;
      place.allocator(allocatorOf(hfileBlock));
      place.nextBlockOnDiskSize(nextBlockOnDiskSize(hfileBlock));
      copy(hfileBlock.getBufferReadOnly(), parts);
      if (index.hasRemaining()) {
        flags |= BlockFlags.INDEXED;
        copyToEnd(index, parts);
      }
    } else {
      flags |= BlockFlags.GENERIC;
      place.nextBlockOnDiskSize(block.getDeserializer().getDeserializerIdentifier());
      ByteBuffer serialized = ByteBuffer.allocate(place.length());
      block.serialize(serialized, true);
      serialized.rewind();
      copy(ByteBuff.wrap(new ByteBuffer[] {serialized}, RefCnt.create()), parts);
    }
    place.flags(flags);
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
  private static void copy(ByteBuff from, ByteBuffer[] parts) {
    int copied = 0;
    for (ByteBuffer to : parts) {
      int bytes = Math.min(to.capacity(), from.limit() - copied);
      if (bytes > 0) {
        from.get(to, copied, bytes);
        copied += bytes;
      }
    }
  }

  /** Fills a place's last bytes, unless it is in parts. */
  private static void copyToEnd(ByteBuffer from, ByteBuffer[] parts) {
    if (parts.length == 1) {
      ByteBuffer to = parts[0];
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

  static BlockType type(HeldBlock block) {
    return TYPES[block.type()];
  }

  /** Makes a block of one that the caller holds, which holds the pin if {@link #holdsPin}. */
  Cacheable read(Pin pin) throws IOException {
    int flags = pin.flags();
    return holdsPin(pin)
        ? hfileBlock(pin, flags)
        : generic(pin.nextBlockOnDiskSize(), buffer(pin, RefCnt.create()));
  }

  /** Whether a block that is made of this one reads its memory, and is not a copy. */
  static boolean holdsPin(Pin pin) {
    return !BlockFlags.has(pin.flags(), BlockFlags.GENERIC);
  }

  private HFileBlock hfileBlock(Pin pin, int flags) {
    Memory region = pin.region();
    long start = pin.start();
    if ((flags & (BlockFlags.INDEXED | BlockFlags.MULTI_PART)) == BlockFlags.INDEXED) {
      int length = blockLength(pin);
      return new IndexedBlock(
          type(pin),
          onDiskSize(region, start),
          uncompressedSize(region, start),
          region.bigEndianLong(start + PREVIOUS_OFFSET),
          pin.buffer(),
          length,
          BlockIndexer.indexOffset(length),
          new BlockPin(pin),
          pin.offset(),
          pin.nextBlockOnDiskSize(),
          onDiskDataSize(region, start, flags),
          context(region, start, flags),
          allocator(pin));
    }
    return new HFileBlock(
        type(pin),
        onDiskSize(region, start),
        uncompressedSize(region, start),
        region.bigEndianLong(start + PREVIOUS_OFFSET),
        buffer(pin, new BlockPin(pin)),
        HFileBlock.DONT_FILL_HEADER,
        pin.offset(),
        pin.nextBlockOnDiskSize(),
        onDiskDataSize(region, start, flags),
        context(region, start, flags),
        allocator(pin));
  }

  /**
   * A block for the off-heap reader.
   *
   * @param pin the block's from now on
   * @return null, and the pin stays the caller's, if the block is not a data block in one part
   */
  PinnedBlock pinned(Pin pin) {
    int flags = pin.flags();
    if ((flags & (BlockFlags.GENERIC | BlockFlags.MULTI_PART)) != 0 || !pin.isData()) {
      return null;
    }
    Memory region = pin.region();
    long start = pin.start();
    boolean indexed = BlockFlags.has(flags, BlockFlags.INDEXED);
    int length = indexed ? uncompressedSize(region, start) + headerLength(flags) : pin.length();
    return new PinnedBlock(
        type(pin),
        onDiskSize(region, start),
        uncompressedSize(region, start),
        region.bigEndianLong(start + PREVIOUS_OFFSET),
        pin.offset(),
        pin.nextBlockOnDiskSize(),
        onDiskDataSize(region, start, flags),
        context(region, start, flags),
        allocator(pin),
        pin,
        length,
        indexed ? BlockIndexer.indexOffset(length) : AddressedBlock.NO_INDEX);
  }

  private static int onDiskSize(Memory region, long start) {
    return region.bigEndianInt(start + ON_DISK_SIZE);
  }

  private static int uncompressedSize(Memory region, long start) {
    return region.bigEndianInt(start + UNCOMPRESSED_SIZE);
  }

  private static int onDiskDataSize(Memory region, long start, int flags) {
    return BlockFlags.has(flags, BlockFlags.HAS_CHECKSUM)
        ? region.bigEndianInt(start + ON_DISK_DATA_SIZE)
        : onDiskSize(region, start) + HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
  }

  private static HFileContext context(Memory region, long start, int flags) {
    return BlockFlags.has(flags, BlockFlags.HAS_CHECKSUM)
        ? context(region, start)
        : WITHOUT_CHECKSUMS;
  }

  /** Bytes of a block with its header, without an index. */
  static int blockLength(Pin pin) {
    int flags = pin.flags();
    return BlockFlags.has(flags, BlockFlags.INDEXED)
        ? uncompressedSize(pin.region(), pin.start()) + headerLength(flags)
        : pin.length();
  }

  private static int headerLength(int flags) {
    return BlockFlags.has(flags, BlockFlags.HAS_CHECKSUM)
        ? HConstants.HFILEBLOCK_HEADER_SIZE
        : HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
  }

  private ByteBuffAllocator allocator(Pin pin) {
    ByteBuffAllocator[] known = allocators;
    int index = pin.allocator();
    return index < known.length ? known[index] : ByteBuffAllocator.HEAP;
  }

  private static HFileContext context(Memory region, long start) {
    byte type = region.getByte(start + CHECKSUM_TYPE);
    int bytesPerChecksum = region.bigEndianInt(start + BYTES_PER_CHECKSUM);
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
  static ByteBuff buffer(Pin pin, RefCnt count) {
    int left = blockLength(pin);
    if (pin.isWhole()) {
      ByteBuffer whole = pin.buffer();
      return ByteBuff.wrap(
          new ByteBuffer[] {whole.capacity() == left ? whole : whole.slice(0, left)}, count);
    }
    ByteBuffer[] parts = pin.buffers();
    int used = 0;
    for (; left > 0; used++) {
      ByteBuffer part = parts[used];
      left -= part.capacity();
      parts[used] = left >= 0 ? part : part.slice(0, part.capacity() + left);
    }
    return ByteBuff.wrap(Arrays.copyOf(parts, used), count);
  }

  private static Cacheable generic(int deserializer, ByteBuff serialized) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(serialized.limit());
    serialized.get(copy, 0, serialized.limit());
    copy.rewind();
    return CacheableDeserializerIdManager.getDeserializer(deserializer)
        .deserialize(
            ByteBuff.wrap(new ByteBuffer[] {copy}, RefCnt.create()), ByteBuffAllocator.HEAP);
  }

  /**
   * Whether two blocks are the same block of the same file. The header's fields about checksums are
   * not looked at: up to HBase 2.6.1 they depend on whether a block is cached when it is written or
   * when it is read.
   */
  static boolean isSame(Pin pin, HFileBlock block) {
    int flags = pin.flags();
    int length = blockLength(pin);
    boolean hasChecksum = BlockFlags.has(flags, BlockFlags.HAS_CHECKSUM);
    if (block.getBufferReadOnly().limit() != length
        || block.getHFileContext().isUseHBaseChecksum() != hasChecksum) {
      return false;
    }
    ByteBuff cached = buffer(pin, RefCnt.create());
    ByteBuff other = block.getBufferReadOnly();
    int contents = hasChecksum ? HConstants.HFILEBLOCK_HEADER_SIZE : CHECKSUM_TYPE;
    return isSame(cached, other, 0, CHECKSUM_TYPE)
        && isSame(cached, other, contents, length - contents);
  }

  private static boolean isSame(ByteBuff a, ByteBuff b, int offset, int length) {
    return ByteBuff.compareTo(a, offset, length, b, offset, length) == 0;
  }

  /** The block's size in its file, header and checksums included. */
  static int onDiskSizeWithHeader(Pin pin) {
    int flags = pin.flags();
    return BlockFlags.has(flags, BlockFlags.GENERIC)
        ? pin.length()
        : onDiskSize(pin.region(), pin.start()) + headerLength(flags);
  }
}
