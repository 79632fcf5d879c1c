package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All blocks of files that HBase wrote come back unchanged from our cache and from HBase's own. The
 * test uses each encoding and size, with and without compression. Bytes, sizes, type, compression
 * and unpacked contents are equal.
 */
class WrittenBlocksContractTest {
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final int[] BLOCK_BYTES = {1 << 10, 64 << 10, 256 << 10};
  private static final int MAX_BLOCKS = 8;

  @TempDir private java.nio.file.Path directory;

  static Stream<Arguments> matrix() {
    List<Arguments> all = new ArrayList<>();
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (int bytes : BLOCK_BYTES) {
        for (boolean compressed : new boolean[] {false, true}) {
          all.add(Arguments.of(encoding, bytes, compressed));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void blocksComeBackAsTheyWereWritten(DataBlockEncoding encoding, int bytes, boolean compressed)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    FileSystem files = FileSystem.getLocal(conf).getRaw();
    Path file = new Path(directory.resolve("hfile").toUri());
    write(conf, files, file, context(encoding, bytes, compressed));
    try (HFile.Reader reader = HFile.createReader(files, file, new CacheConfig(conf), true, conf)) {
      for (BlockCacheContractTest.Kind kind : BlockCacheContractTest.Kind.values()) {
        BlockCache cache = kind.create();
        try {
          compare(cache, reader, compressed);
        } finally {
          cache.shutdown();
        }
      }
    }
  }

  private static HFileContext context(DataBlockEncoding encoding, int bytes, boolean compressed) {
    return new HFileContextBuilder()
        .withDataBlockEncoding(encoding)
        .withBlockSize(bytes)
        .withIncludesMvcc(true)
        .withIncludesTags(true)
        .withCompression(compressed ? Compression.Algorithm.GZ : Compression.Algorithm.NONE)
        .build();
  }

  private static void write(Configuration conf, FileSystem files, Path file, HFileContext context)
      throws IOException {
    Random random = new Random(context.getBlocksize());
    int cells = MAX_BLOCKS * context.getBlocksize() / 100;
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(files, file)
            .withFileContext(context)
            .create()) {
      for (int i = 0; i < cells; i++) {
        byte[] value = new byte[random.nextInt(100)];
        random.nextBytes(value);
        writer.append(
            new KeyValue(
                Bytes.toBytes(String.format("row%08d", i / 3)),
                Bytes.toBytes("f"),
                Bytes.toBytes("q" + i % 3),
                1_700_000_000_000L + i,
                value));
      }
    }
  }

  private static void compare(BlockCache cache, HFile.Reader reader, boolean compressed)
      throws IOException {
    List<HFileBlock> blocks = read(reader);
    assertThat(blocks).hasSizeGreaterThan(2);
    for (HFileBlock block : blocks) {
      assertThat(block.isUnpacked()).isEqualTo(!compressed);
      cache.cacheBlock(key(block), block);
    }
    BlockCacheContractTest.awaitBlocks(cache, blocks.size());
    for (HFileBlock block : blocks) {
      HFileBlock found = (HFileBlock) cache.getBlock(key(block), true, false, true);
      assertThat(found).isNotNull();
      assertSame(found, block);
      HFileBlock.FSReader unpacker = reader.getUncachedBlockReader();
      assertThat(contents(found.unpack(reader.getFileContext(), unpacker)))
          .isEqualTo(contents(block.unpack(reader.getFileContext(), unpacker)));
      found.release();
    }
  }

  /** Data blocks as they are in the file. */
  private static List<HFileBlock> read(HFile.Reader reader) throws IOException {
    List<HFileBlock> blocks = new ArrayList<>();
    HFileBlock.FSReader from = reader.getUncachedBlockReader();
    long offset = reader.getTrailer().getFirstDataBlockOffset();
    while (offset <= reader.getTrailer().getLastDataBlockOffset() && blocks.size() < MAX_BLOCKS) {
      HFileBlock block = from.readBlockData(offset, -1, true, false, true);
      offset += block.getOnDiskSizeWithHeader();
      if (block.getBlockType().isData()) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private static BlockCacheKey key(HFileBlock block) {
    return new BlockCacheKey(FILE, TestBlocks.offset(block));
  }

  private static void assertSame(HFileBlock found, HFileBlock block) {
    assertThat(found.getBlockType()).isEqualTo(block.getBlockType());
    assertThat(found.isUnpacked()).isEqualTo(block.isUnpacked());
    assertThat(TestBlocks.offset(found)).isEqualTo(TestBlocks.offset(block));
    assertThat(found.getOnDiskSizeWithHeader()).isEqualTo(block.getOnDiskSizeWithHeader());
    assertThat(found.getUncompressedSizeWithoutHeader())
        .isEqualTo(block.getUncompressedSizeWithoutHeader());
    assertThat(TestBlocks.nextBlockOnDiskSize(found))
        .isEqualTo(TestBlocks.nextBlockOnDiskSize(block));
    assertThat(contents(found)).isEqualTo(contents(block));
  }

  private static byte[] contents(HFileBlock block) {
    ByteBuff all = block.getBufferReadOnly();
    return all.toBytes(0, all.limit());
  }
}
