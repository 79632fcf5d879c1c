package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure in the cache does not reach the read. */
class CacheFailureTest {
  private static final BlockCacheKey KEY = new BlockCacheKey("file", 0);

  @TempDir private Path directory;

  private static OffHeapBlockCache cache(String size) {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, size);
    return OffHeapBlockCache.create(conf);
  }

  /** A block that cannot be copied. */
  private static final class Broken implements Cacheable {
    @Override
    public int getSerializedLength() {
      return 1000;
    }

    @Override
    public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      return HFileBlock.BLOCK_DESERIALIZER;
    }

    @Override
    public BlockType getBlockType() {
      return BlockType.DATA;
    }

    @Override
    public long heapSize() {
      return 0;
    }
  }

  @Test
  void aBlockThatCannotBeCopiedIsCountedAndLeavesNothing() {
    OffHeapBlockCache cache = cache("4m");
    cache.cacheBlock(KEY, new Broken());
    assertThat(cache.getBlock(KEY, true, false, true)).isNull();
    assertThat(cache.getStats().getFailedInserts()).isOne();
    cache.store().reclaim();
    assertThat(cache.extents().payloadBytes()).isZero();
    assertThat(cache.store().entriesInUse()).isZero();
    cache.cacheBlock(KEY, TestBlocks.heap(1, 0, 1000));
    assertThat(cache.getBlockCount()).isOne();
    cache.shutdown();
  }

  /** As an OutOfMemoryError of a counter, which makes cells when threads meet. */
  @Test
  void aHitThatCannotBeCountedHoldsNothing() {
    OffHeapBlockCache cache = cache("4m");
    assertHitThatCannotBeCountedHoldsNothing(cache, cache, 0);
    OffHeapBlockCache second = cache("4m");
    LruBlockCache first = new LruBlockCache(1 << 20, 1000);
    // The combined cache asks for the type before it looks the block up.
    assertHitThatCannotBeCountedHoldsNothing(
        new OffHeapCombinedBlockCache(first, second, () -> {}), second, 1);
  }

  private static void assertHitThatCannotBeCountedHoldsNothing(
      BlockCache asked, OffHeapBlockCache cache, int answers) {
    cache.cacheBlock(KEY, TestBlocks.heap(1, 0, 1000));
    BlockCacheKey uncountable =
        new BlockCacheKey(KEY.getHfileName(), KEY.getOffset()) {
          private int left = answers;

          @Override
          public BlockType getBlockType() {
            if (left-- > 0) {
              return BlockType.DATA;
            }
            throw new OutOfMemoryError("injected");
          }
        };
    assertThatThrownBy(() -> asked.getBlock(uncountable, true, false, true))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(cache.store().pinnedBytes()).isZero();
    asked.shutdown();
    assertThat(cache.extents().payloadBytes()).isZero();
  }

  @Test
  void directMemoryThatIsFullMakesFewerBlocksAndNoError() throws Exception {
    ForkedJvm.Result result = run("-XX:MaxDirectMemorySize=34m", NoEntries.class);
    assertThat(result.output()).contains("blocks 0, refused 3");
    assertThat(result.output()).contains("Using ").doesNotContain("System.gc()");
  }

  private ForkedJvm.Result run(String flag, Class<?> main)
      throws IOException, InterruptedException {
    return ForkedJvm.ours()
        .flag(flag)
        .flag("-Xlog:gc")
        .run(directory.resolve("log"), directory, main.getName());
  }

  /** A cache whose memory fits and whose metadata does not. */
  static final class NoEntries {
    private NoEntries() {}

    /** Caches three blocks. */
    public static void main(String[] args) {
      OffHeapBlockCache cache = cache("32m");
      for (int offset = 0; offset < 3; offset++) {
        BlockCacheKey key = new BlockCacheKey("file", offset);
        cache.cacheBlock(key, TestBlocks.heap(1, offset, 1000));
        if (cache.getBlock(key, true, false, true) != null) {
          throw new AssertionError(key);
        }
      }
      System.out.println(
          "blocks " + cache.getBlockCount() + ", refused " + cache.getStats().getFailedInserts());
    }
  }
}
