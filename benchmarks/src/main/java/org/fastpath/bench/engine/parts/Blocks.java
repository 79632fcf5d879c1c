package org.fastpath.bench.engine.parts;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlockBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Creates data blocks as a reader gives them to the cache: header, data, no checksums. */
public final class Blocks {
  private static final int HEADER = HConstants.HFILEBLOCK_HEADER_SIZE;
  private static final int BLOCKS_PER_FILE = 1000;
  private static final long SEED = 42;

  private static final HFileContext CONTEXT =
      new HFileContextBuilder()
          .withIncludesMvcc(true)
          .withIncludesTags(false)
          .withHBaseCheckSum(true)
          .withChecksumType(ChecksumType.NULL)
          .withBytesPerCheckSum(0)
          .build();

  private Blocks() {}

  /** Returns a header and the given number of data bytes, in a buffer on or off the heap. */
  public static ByteBuffer bytes(int dataBytes, boolean direct) {
    byte[] data = new byte[dataBytes];
    new Random(SEED).nextBytes(data);
    int size = HEADER + dataBytes;
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    buffer.position(HEADER).put(data).flip();
    build(buffer, 0, HFileBlock.FILL_HEADER);
    return buffer;
  }

  /** Returns a block over these bytes, which it does not copy. */
  public static HFileBlock over(ByteBuffer bytes, long offset) {
    return build(bytes.duplicate(), offset, HFileBlock.DONT_FILL_HEADER);
  }

  private static HFileBlock build(ByteBuffer bytes, long offset, boolean fillHeader) {
    int dataBytes = bytes.remaining() - HEADER;
    return new HFileBlockBuilder()
        .withBlockType(BlockType.DATA)
        .withOnDiskSizeWithoutHeader(dataBytes)
        .withUncompressedSizeWithoutHeader(dataBytes)
        .withPrevBlockOffset(-1)
        .withByteBuff(ByteBuff.wrap(bytes))
        .withFillHeader(fillHeader)
        .withOffset(offset)
        .withNextBlockOnDiskSize(-1)
        .withOnDiskDataSizeWithHeader(HEADER + dataBytes)
        .withHFileContext(CONTEXT)
        .withShared(bytes.isDirect())
        .build();
  }

  /** Returns a file name in HBase's format: 32 hexadecimal digits. */
  public static String file(long number) {
    return String.format("%032x", number);
  }

  public static BlockCacheKey key(String file, long offset) {
    return new BlockCacheKey(file, offset, true, BlockType.DATA);
  }

  /** Creates keys of consecutive blocks, a thousand in a file. Not thread-safe. */
  public static final class Keys {
    private final long first;
    private final int stride;
    private long next;
    private String file;

    /** Numbers files from the given one, so threads do not share any. */
    public Keys(long firstFile, int stride) {
      this.first = firstFile;
      this.stride = stride;
    }

    public BlockCacheKey next() {
      if (next % BLOCKS_PER_FILE == 0) {
        file = file(first + next / BLOCKS_PER_FILE);
      }
      return key(file, next++ % BLOCKS_PER_FILE * stride);
    }
  }
}
