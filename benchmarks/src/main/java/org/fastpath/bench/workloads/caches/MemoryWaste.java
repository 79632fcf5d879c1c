package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.bench.engine.Lines;
import org.fastpath.bench.engine.parts.Blocks;
import org.fastpath.bench.engine.parts.CacheVariant;
import org.fastpath.bench.engine.parts.Filler;
import org.fastpath.bench.engine.parts.WrittenBlocks;

/**
 * Measures the part of a cache's memory that holds no block: one less the sizes of its blocks over
 * the configured size. The blocks are those of written HFiles, so their sizes are as uneven as
 * HBase's. They are cached under new names until the cache has been filled a few times. Then the
 * sizes are added up after each insert of another sixteenth, because BucketCache evicts in bursts.
 * Gaps are waste, and so is the memory that a cache keeps free for the next block. The least waste
 * is that of the fullest moment, which has only gaps.
 */
final class MemoryWaste implements Lines.Probe {
  static final String VALUES = "values";
  static final String CODING = "coding";
  static final List<String> ALL_VALUES = List.of("100", "1024", "10240", "mixed");
  static final List<String> ALL_CODINGS = List.of("NONE", "FAST_DIFF", "SNAPPY");

  private static final int FILLED_BEFORE = 2;
  private static final int SAMPLES = 32;
  private static final int SAMPLES_PER_FILLING = 16;

  private final long capacity;
  private final long written;
  private BlockCache cache;
  private Filler filler;
  private List<HFileBlock> blocks;
  private int[] sizes;
  private int file;
  private int next;

  /** Prepares the measurement of a cache of 256 MB. */
  MemoryWaste() {
    this(256L << 20, 48L << 20);
  }

  /** Takes the size of the cache, and the bytes of the file whose blocks it caches repeatedly. */
  MemoryWaste(long capacity, long written) {
    this.capacity = capacity;
    this.written = written;
  }

  @Override
  public void measure(Map<String, String> params, Lines.Sink sink) throws IOException {
    blocks = WrittenBlocks.of(params.get(VALUES), params.get(CODING), written);
    sizes = blocks.stream().mapToInt(HFileBlock::getSerializedLength).toArray();
    cache = CacheVariant.valueOf(params.get(BlockCaches.CACHE)).create(capacity);
    filler = new Filler(cache);
    insert(FILLED_BEFORE * capacity);
    LongSummaryStatistics used = new LongSummaryStatistics();
    for (int i = 0; i < SAMPLES; i++) {
      insert(capacity / SAMPLES_PER_FILLING);
      used.accept(cachedBytes());
    }
    if (cache.getStats().getEvictedCount() == 0) {
      throw new IllegalStateException(params.get(BlockCaches.CACHE) + " did not evict");
    }
    sink.figure("block-cache.wasted", "%", wasted(used.getAverage()));
    sink.figure("block-cache.wasted.least", "%", wasted(used.getMax()));
    sink.figure("block-cache.wasted.block", "B", Arrays.stream(sizes).average().orElseThrow());
    cache.shutdown();
  }

  private double wasted(double used) {
    return 100 * (1 - used / capacity);
  }

  /** Caches blocks under names that identify them: the offset is the number of the block. */
  private void insert(long bytes) {
    for (long inserted = 0; inserted < bytes; inserted += sizes[next]) {
      next = (next + 1) % sizes.length;
      file += next == 0 ? 1 : 0;
      filler.insert(Blocks.key(Blocks.file(file), next), blocks.get(next));
    }
  }

  /** Returns the sizes of the blocks that the cache lists, not the cache's own count. */
  private long cachedBytes() {
    filler.settle();
    long bytes = 0;
    for (CachedBlock block : cache) {
      bytes += sizes[(int) block.getOffset()];
    }
    return bytes;
  }
}
