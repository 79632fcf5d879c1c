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
import org.fastpath.offheap.reader.BlockIndexer;
import org.fastpath.offheap.reader.IndexedBlock;
import org.fastpath.offheap.store.HeldBlock;
import org.fastpath.offheap.store.Pin;
import org.fastpath.offheap.store.PinTicket;
import org.fastpath.offheap.store.Reservation;

/**
 * Writes a block into its place in the cache, and makes a block over the cached bytes without a
 * copy. A reference count holds the bytes.
 *
 * <p>Header and contents of an {@link HFileBlock} are stored verbatim. The entry holds the metadata
 * that HBase appends at serialization: the offset, whether it has checksums, and the size of the
 * next block. This class decodes the header, because {@link HFileBlock#BLOCK_DESERIALIZER} makes
 * four objects for each hit. All blocks with the same kind of checksums share a file context, which
 * is never changed.
 *
 * <p>An index of the block's cells, if given, is stored after the block: see {@link IndexedBlock}.
 * It may be in a part of its own. A block that is itself in several parts has room for it, but no
 * index.
 *
 * <p>Other cacheables, and blocks that are not at their key's offset (only in HBase's tests), are
 * stored serialized and copied on each hit.
 *
 * <p>Thread-safe.
 */
final class BlockCodec {
  /** The number of the first pooled allocator of a block, if there is one. */
  static final byte FIRST_POOLED = 1;

  // Header fields, big-endian: see HFileBlock.Header.
  private static final int ON_DISK_SIZE = 8;
  private static final int UNCOMPRESSED_SIZE = 12;
  private static final int PREVIOUS_OFFSET = 16;
  private static final int CHECKSUM_TYPE = 24;
  private static final int BYTES_PER_CHECKSUM = 25;
  private static final int ON_DISK_DATA_SIZE = 29;

  // HBase's appended metadata: see HFileBlock.getMetaData.
  private static final int OFFSET = 1;
  private static final int NEXT_BLOCK_ON_DISK_SIZE = OFFSET + Long.BYTES;

  private static final BlockType[] TYPES = BlockType.values();

  /** The context of nearly all cached blocks: with verified checksums. */
  private static final HFileContext VERIFIED = context(true, ChecksumType.NULL, 0);

  private static final HFileContext WITHOUT_CHECKSUMS = context(false, ChecksumType.NULL, 0);

  /** Allocators of memory to unpack blocks; an entry has the index. There are one or two. */
  private volatile ByteBuffAllocator[] allocators = {ByteBuffAllocator.HEAP};

  /**
   * Returns the bytes that a block takes in the cache's memory; 0 if it cannot be cached.
   *
   * @param verbatim result of {@link #isVerbatim}
   * @param index bytes of its index, 0 for none
   */
  static int length(Cacheable block, boolean verbatim, int index) {
    int serialized = block.getSerializedLength();
    int bytes =
        serialized > 0 && verbatim ? serialized - HFileBlock.BLOCK_METADATA_SPACE : serialized;
    return index == 0 ? bytes : BlockIndexer.indexOffset(bytes) + index;
  }

  /** Returns the bytes of these that a block takes without its index. */
  static int lengthWithoutIndex(int length, Cacheable block, int index) {
    return index == 0 ? length : block.getSerializedLength() - HFileBlock.BLOCK_METADATA_SPACE;
  }

  /** Returns whether the entry can hold all of its metadata, so the block is stored verbatim. */
  static boolean isVerbatim(BlockCacheKey key, Cacheable block) {
    return block instanceof HFileBlock
        && metadata((HFileBlock) block).getLong(OFFSET) == key.getOffset();
  }

  /**
   * Copies a block to its place and fills the fields of its record, before readers see it.
   *
   * @param verbatim result of {@link #isVerbatim}
   * @param index its index, empty if it has none
   */
  void write(
      Cacheable block, boolean verbatim, ByteBuffer index, boolean primary, Reservation place) {
    ByteBuffer[] parts = place.buffers();
    int flags = primary ? 0 : BlockFlags.SECONDARY;
    flags |= parts.length == 1 ? 0 : BlockFlags.MULTI_PART;
    if (verbatim) {
      HFileBlock hfileBlock = (HFileBlock) block;
      boolean checksums = hfileBlock.getHFileContext().isUseHBaseChecksum();
      flags |= checksums ? BlockFlags.HAS_CHECKSUM : 0;
      place.allocator(allocatorOf(hfileBlock));
      place.nextBlockOnDiskSize(nextBlockOnDiskSize(hfileBlock));
      ByteBuff bytes = hfileBlock.getBufferReadOnly();
      copy(bytes, parts);
      if (index.hasRemaining()) {
        flags |= BlockFlags.INDEXED;
        if (parts.length == 2 && parts[0].capacity() == bytes.limit()) {
          flags |= BlockFlags.INDEX_APART;
          parts[1].put(0, index, index.position(), index.remaining());
        } else {
          copyToEnd(index, parts);
        }
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

  /** Returns HBase's metadata of a serialized block. The getters are not public in each version. */
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

  /** Returns the number of a block's allocator, and registers a new one. */
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

  /** Makes a block from a pinned one. The new block holds the pin if {@link #holdsPin}. */
  Cacheable read(Pin pin) throws IOException {
    int flags = pin.flags();
    return holdsPin(pin)
        ? hfileBlock(pin, flags)
        : generic(pin.nextBlockOnDiskSize(), buffer(pin, RefCnt.create()));
  }

  /** Returns whether a block made from this pin reads its memory instead of a copy. */
  static boolean holdsPin(Pin pin) {
    return !BlockFlags.has(pin.flags(), BlockFlags.GENERIC);
  }

  /** Reads each field of a whole block once, because every read follows three references. */
  private HFileBlock hfileBlock(Pin pin, int flags) {
    long location = pin.location();
    boolean whole = !BlockFlags.has(flags, BlockFlags.MULTI_PART);
    boolean indexed = whole && BlockFlags.has(flags, BlockFlags.INDEXED);
    Memory region = pin.region(location);
    long start = HeldBlock.start(location, whole);
    int onDiskSize = onDiskSize(region, start);
    int uncompressedSize = uncompressedSize(region, start);
    long previousOffset = region.bigEndianLong(start + PREVIOUS_OFFSET);
    BlockPin count = new BlockPin(pin);
    if (indexed) {
      int length = uncompressedSize + headerLength(flags);
      return new IndexedBlock(
          type(pin),
          onDiskSize,
          uncompressedSize,
          previousOffset,
          region.buffer(start, pin.length()),
          length,
          BlockIndexer.indexOffset(length),
          count,
          pin.offset(),
          pin.nextBlockOnDiskSize(),
          onDiskDataSize(region, start, flags),
          context(region, start, flags),
          allocator(pin));
    }
    return new HFileBlock(
        type(pin),
        onDiskSize,
        uncompressedSize,
        previousOffset,
        whole
            ? ByteBuff.wrap(new ByteBuffer[] {region.buffer(start, pin.length())}, count)
            : buffer(pin, count),
        HFileBlock.DONT_FILL_HEADER,
        pin.offset(),
        pin.nextBlockOnDiskSize(),
        onDiskDataSize(region, start, flags),
        context(region, start, flags),
        allocator(pin));
  }

  /**
   * Returns a block for the off-heap reader, which takes over the pin. Returns null if the block is
   * not a data block in one piece.
   */
  SelfPinnedBlock dataBlock(PinTicket pin) {
    int flags = pin.flags();
    if (BlockFlags.has(flags, BlockFlags.GENERIC)
        || !BlockFlags.isTogether(flags)
        || !pin.isData()) {
      return null;
    }
    long location = pin.location();
    Memory region = pin.region(location);
    long start = HeldBlock.start(location, !BlockFlags.has(flags, BlockFlags.MULTI_PART));
    return new SelfPinnedBlock(
        type(pin),
        onDiskSize(region, start),
        uncompressedSize(region, start),
        region.bigEndianLong(start + PREVIOUS_OFFSET),
        onDiskDataSize(region, start, flags),
        context(region, start, flags),
        allocator(pin),
        pin);
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

  /** Returns the bytes of a block with its header, without an index. */
  static int blockLength(Pin pin) {
    int flags = pin.flags();
    return BlockFlags.has(flags, BlockFlags.INDEXED)
        ? uncompressedSize(pin.region(), pin.start()) + headerLength(flags)
        : pin.length();
  }

  /** Returns whether an HFile block is not compressed, so it has the bytes that readers see. */
  static boolean isUnpacked(Pin pin) {
    int unpacked = uncompressedSize(pin.region(), pin.start()) + headerLength(pin.flags());
    return blockLength(pin) == unpacked;
  }

  private static int headerLength(int flags) {
    return BlockFlags.has(flags, BlockFlags.HAS_CHECKSUM)
        ? HConstants.HFILEBLOCK_HEADER_SIZE
        : HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
  }

  private ByteBuffAllocator allocator(HeldBlock pin) {
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

  /** Returns the block's bytes, without an index. */
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
   * Returns whether two blocks are the same block of the same file. The header's fields about
   * checksums are ignored: up to HBase 2.6.1 they depend on whether a block is cached at writing or
   * at reading.
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

  /** Returns the block's size in its file, header and checksums included. */
  static int onDiskSizeWithHeader(Pin pin) {
    int flags = pin.flags();
    return BlockFlags.has(flags, BlockFlags.GENERIC)
        ? pin.length()
        : onDiskSize(pin.region(), pin.start()) + headerLength(flags);
  }
}
