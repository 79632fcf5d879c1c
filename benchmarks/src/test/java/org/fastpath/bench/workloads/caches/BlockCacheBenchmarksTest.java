package org.fastpath.bench.workloads.caches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;
import org.fastpath.bench.engine.parts.WrittenBlocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All caches hold the inserted blocks, and all probes return valid figures. */
class BlockCacheBenchmarksTest {
  private static final long CAPACITY = 64L << 20;
  private static final int BLOCK = 64 << 10;
  private static final long WRITTEN = 4L << 20;
  private static final int FEW = 200;

  private static Map<String, Double> measure(
      Lines.Probe probe, CacheVariant variant, Map<String, String> params) throws IOException {
    Map<String, Double> figures = new HashMap<>();
    Map<String, String> all = new HashMap<>(params);
    all.put(BlockCaches.CACHE, variant.name());
    probe.measure(all, (name, kind, unit, value) -> figures.put(name, value));
    return figures;
  }

  @ParameterizedTest
  @EnumSource(CacheVariant.class)
  void everyCacheGivesBackTheSameBlocksFromHeapAndDirect(CacheVariant variant) {
    BlockCache cache = variant.create(CAPACITY);
    Filler filler = new Filler(cache);
    ByteBuffer[] sources = {Blocks.bytes(BLOCK, false), Blocks.bytes(BLOCK, true)};
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    for (int i = 0; i < FEW; i++) {
      BlockCacheKey key = names.next();
      HFileBlock block = Blocks.over(sources[i % 2], key.getOffset());
      filler.insert(key, block);
      block.release();
    }
    filler.settle();

    Blocks.Keys again = new Blocks.Keys(1, BLOCK);
    for (int i = 0; i < FEW; i++) {
      BlockCacheKey key = again.next();
      HFileBlock found = (HFileBlock) cache.getBlock(key, true, false, true);

      assertThat(found.getOffset()).isEqualTo(key.getOffset());
      assertThat(found.getBufferReadOnly().toBytes(0, sources[0].remaining()))
          .isEqualTo(sources[0].array());
      found.release();
    }
    cache.shutdown();
  }

  @ParameterizedTest
  @EnumSource(CacheVariant.class)
  void aFullCacheTakesEveryBlockThatIsInserted(CacheVariant variant) {
    BlockCache cache = variant.create(CAPACITY);
    Filler filler = new Filler(cache);
    ByteBuffer source = Blocks.bytes(BLOCK, true);
    Blocks.Keys names = new Blocks.Keys(1, BLOCK);
    for (int i = 0; i < 2 * CAPACITY / BLOCK; i++) {
      BlockCacheKey key = names.next();
      HFileBlock block = Blocks.over(source, key.getOffset());
      filler.insert(key, block);
      block.release();
    }
    filler.settle();

    assertThat(cache.getStats().getEvictedCount()).isPositive();
    assertThat(cache.getBlockCount()).isBetween(CAPACITY / BLOCK / 4, CAPACITY / BLOCK);
    cache.shutdown();
  }

  @ParameterizedTest
  @EnumSource(CacheVariant.class)
  void heapPerBlockCountsAllBlocks(CacheVariant variant) throws IOException {
    Map<String, Double> figures =
        measure(new HeapPerBlock(), variant, Map.of(HeapPerBlock.BLOCKS, "20000"));

    assertThat(figures.get("block-cache.heap.blocks")).isEqualTo(20_000);
    assertThat(figures.get("block-cache.heap.filled")).isLessThan(1000);
    assertThat(figures).containsKey("block-cache.heap.read");
  }

  @ParameterizedTest
  @EnumSource(CacheVariant.class)
  void wastedMemoryIsAPart(CacheVariant variant) throws IOException {
    Map<String, Double> figures =
        measure(
            new MemoryWaste(CAPACITY, WRITTEN),
            variant,
            Map.of(MemoryWaste.VALUES, "10240", MemoryWaste.CODING, "NONE"));

    assertThat(figures.get("block-cache.wasted")).isBetween(-20.0, 70.0);
    assertThat(figures.get("block-cache.wasted.least"))
        .isLessThanOrEqualTo(figures.get("block-cache.wasted"));
    assertThat(figures.get("block-cache.wasted.block")).isBetween(64e3, 84e3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "FAST_DIFF", "SNAPPY"})
  void writtenBlocksAreCodedAndOfManySizes(String coding) throws IOException {
    List<HFileBlock> blocks = WrittenBlocks.of("mixed", coding, WRITTEN);

    Set<Integer> sizes = new HashSet<>();
    blocks.forEach(block -> sizes.add(block.getSerializedLength()));
    assertThat(sizes).hasSizeGreaterThan(blocks.size() / 2);
    assertThat(blocks).allMatch(block -> block.isUnpacked() == !coding.equals("SNAPPY"));
    assertThat(blocks)
        .allMatch(
            block ->
                (block.getBlockType() == BlockType.ENCODED_DATA) == coding.equals("FAST_DIFF"));
  }

  @Test
  void snappyMakesBlocksSmaller() throws IOException {
    double plain = mean(WrittenBlocks.of("1024", "NONE", WRITTEN));

    assertThat(mean(WrittenBlocks.of("1024", "SNAPPY", WRITTEN)))
        .isBetween(plain / 5, plain * 4 / 5);
  }

  private static double mean(List<HFileBlock> blocks) {
    return blocks.stream().mapToInt(HFileBlock::getSerializedLength).average().orElseThrow();
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertThatThrownBy(() -> CacheVariant.of("hat"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hat");
    assertThatThrownBy(() -> WrittenBlocks.of("100", "ROT13", WRITTEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ROT13");
  }
}
