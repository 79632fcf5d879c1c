package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cached bytes of regions and the fully cached files, beside those of BucketCache. */
class RegionCachedInfoTest {
  private static final String FAMILY = "/hbase/data/default/table/%s/f/%s";
  private static final String PARENT = "0123456789abcdef0123456789abcdef";
  private static final String DAUGHTER = "1123456789abcdef0123456789abcdef";
  private static final String FILE = "8d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final String OTHER = "9d5ba0ab8d7e4d1c9b1e1d8b3d8e1f00";
  private static final int BLOCKS = 7;
  private static final int SIZE = 3000;
  private static final long BLOCK = SIZE + TestBlocks.HEADER;

  private final OffHeapBlockCache ours = ours();
  private final BucketCache stock = stock();

  private static OffHeapBlockCache ours() {
    Configuration conf = new Configuration(false);
    conf.set(CacheOptions.SIZE, "4m");
    return OffHeapBlockCache.create(conf);
  }

  private static BucketCache stock() {
    try {
      return new BucketCache("offheap", 4 << 20, 4 << 10, new int[] {5 << 10}, 1, 64, null);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() {
    ours.shutdown();
    stock.shutdown();
  }

  private static Path path(String region, String file) {
    return new Path(String.format(FAMILY, region, file));
  }

  private void read(Path file, int blocks) {
    for (long offset = 0; offset < blocks; offset++) {
      BlockCacheKey key = new BlockCacheKey(file, offset, true, BlockType.DATA);
      HFileBlock block = TestBlocks.heap(1, offset, SIZE);
      ours.cacheBlock(key, block);
      stock.cacheBlock(key, block);
    }
  }

  private void prefetched(Path file, int blocks, long bytes) {
    for (BlockCache cache : new BlockCache[] {ours, stock}) {
      cache.notifyFileCachingCompleted(file, blocks, blocks, bytes);
    }
  }

  /** Both know these blocks, and ours lacks the metadata that BucketCache appends to each. */
  private void assertBlocks(Map<String, Integer> blocks) {
    Map<String, Long> found = info(ours);
    assertThat(found).hasSameSizeAs(blocks);
    blocks.forEach(
        (region, count) -> {
          assertThat(found).containsEntry(region, count * BLOCK);
          awaitStock(region, count);
        });
    assertThat(info(stock)).hasSameSizeAs(blocks);
  }

  /** BucketCache writes blocks by threads of its own. */
  private void awaitStock(String region, int blocks) {
    long bytes = blocks * (BLOCK + HFileBlock.BLOCK_METADATA_SPACE);
    while (info(stock).getOrDefault(region, 0L) != bytes) {
      Thread.onSpinWait();
    }
  }

  private static Map<String, Long> info(BlockCache cache) {
    return cache.getRegionCachedInfo().orElseThrow();
  }

  @Test
  void blocksThatReadsCachedCountForTheirRegion() {
    read(path(PARENT, FILE), BLOCKS);
    read(path(PARENT, OTHER), 1);
    read(path(DAUGHTER, "a" + OTHER), 2);
    assertBlocks(Map.of(PARENT, BLOCKS + 1, DAUGHTER, 2));
  }

  @Test
  void aFileThatIsEvictedLeavesItsRegion() {
    read(path(PARENT, FILE), BLOCKS);
    read(path(DAUGHTER, OTHER), 2);
    assertBlocks(Map.of(PARENT, BLOCKS, DAUGHTER, 2));
    prefetched(path(PARENT, FILE), BLOCKS, info(stock).get(PARENT));
    ours.evictBlocksByHfileName(FILE);
    stock.evictBlocksByHfileName(FILE);
    assertBlocks(Map.of(DAUGHTER, 2));
  }

  /** BucketCache of HBase 2.6.4 forgets to count these; later ones do it. */
  @Test
  void aBlockThatIsEvictedLeavesItsRegion() {
    read(path(PARENT, FILE), BLOCKS);
    ours.evictBlock(new BlockCacheKey(FILE, 3));
    assertThat(info(ours)).containsOnly(Map.entry(PARENT, (BLOCKS - 1) * BLOCK));
    ours.evictBlocksByHfileName(FILE);
    assertThat(info(ours)).isEmpty();
    assertThat(info(ours).containsKey(PARENT)).isFalse();
    read(path(PARENT, FILE), 1);
    assertThat(info(ours).getOrDefault(PARENT, 0L)).isEqualTo(BLOCK);
  }

  @Test
  void theParentsBlocksCompleteAReference() {
    Path reference = path(DAUGHTER, FILE + "." + PARENT);
    read(path(PARENT, FILE), BLOCKS);
    assertBlocks(Map.of(PARENT, BLOCKS));
    prefetched(reference, BLOCKS + 1, 4711);
    assertThat(ours.getFullyCachedFiles().orElseThrow()).isEmpty();
    prefetched(reference, BLOCKS, 4711);
    assertThat(ours.getFullyCachedFiles().orElseThrow())
        .hasSize(1)
        .isEqualTo(stock.getFullyCachedFiles().orElseThrow());
    assertThat(ours.shouldCacheFile(reference.getName())).contains(false);
    assertThat(ours.shouldCacheFile(FILE)).contains(true);
    assertBlocks(Map.of(PARENT, BLOCKS));
    ours.evictBlock(new BlockCacheKey(FILE, 0));
    assertThat(ours.shouldCacheFile(reference.getName())).contains(true);
  }

  @Test
  void aNewFileCountsForTheRegionThatWritesIt() {
    Path directory = path(PARENT, FILE).getParent().getParent();
    read(new Path(directory, ".tmp/f/" + FILE), 1);
    assertThat(info(ours)).containsOnly(Map.entry(PARENT, BLOCK));
  }

  @Test
  void theViewCannotBeChanged() {
    read(path(PARENT, FILE), 1);
    assertThatThrownBy(() -> info(ours).clear()).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> info(ours).put("a", 1L))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
