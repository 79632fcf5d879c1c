package org.fastpath.offheap.reader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * A cache that makes each wrong access visible. Each hit returns a new copy of the block, off the
 * heap, in parts of random sizes between guard bytes. A release overwrites the memory at once. A
 * reader gets wrong bytes if it reads a released block, ignores the parts, or reads a byte too
 * many. Not thread-safe.
 */
final class PatchworkCache implements BlockCache {
  private static final int GUARD = 32;
  private static final byte POISON = (byte) 0xDB;

  private final SplittableRandom random;
  private final int mostParts;
  private final byte guard;
  private final CacheStats stats = new CacheStats("PatchworkCache");
  private final Map<BlockCacheKey, byte[]> blocks = new HashMap<>();
  private final Map<Integer, Deque<ByteBuffer>> free = new HashMap<>();
  private int held;

  /**
   * Creates an empty cache.
   *
   * @param mostParts the most parts of a block
   * @param guard the byte around each part
   */
  PatchworkCache(SplittableRandom random, int mostParts, byte guard) {
    this.random = random;
    this.mostParts = mostParts;
    this.guard = guard;
  }

  /** Returns how many blocks are held. */
  int held() {
    return held;
  }

  /** The serialized form of a cached block. */
  byte[] serialized(BlockCacheKey key) {
    return blocks.get(key);
  }

  /** Gives a cached block another content. */
  void replace(BlockCacheKey key, byte[] serialized) {
    blocks.put(key, serialized);
  }

  /** Returns the keys of cached blocks. */
  Iterable<BlockCacheKey> keys() {
    return blocks.keySet();
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    byte[] serialized = blocks.get(key);
    return serialized == null ? null : copy(serialized);
  }

  private Cacheable copy(byte[] serialized) {
    int parts = random.nextBoolean() ? 1 : random.nextInt(1, mostParts + 1);
    ByteBuffer memory = take(serialized.length + (parts + 1) * GUARD);
    fill(memory, guard);
    ByteBuffer[] buffers = new ByteBuffer[parts];
    int at = 0;
    for (int i = 0; i < parts; i++) {
      int end =
          i == parts - 1
              ? serialized.length
              : random.nextInt(at + 1, serialized.length - parts + i + 2);
      int offset = at + (i + 1) * GUARD;
      memory.put(offset, serialized, at, end - at);
      buffers[i] = memory.slice(offset, end - at);
      at = end;
    }
    held++;
    try {
      return HFileBlock.BLOCK_DESERIALIZER.deserialize(
          ByteBuff.wrap(buffers, () -> giveBack(memory)), ByteBuffAllocator.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ByteBuffer take(int length) {
    int size = Integer.highestOneBit(length) << 1;
    ByteBuffer known = free.computeIfAbsent(size, any -> new ArrayDeque<>()).poll();
    return known == null ? ByteBuffer.allocateDirect(size) : known;
  }

  private void giveBack(ByteBuffer memory) {
    held--;
    fill(memory, POISON);
    free.get(memory.capacity()).push(memory);
  }

  private static void fill(ByteBuffer memory, byte with) {
    long word = (with & 0xffL) * 0x0101010101010101L;
    for (int i = 0; i + Long.BYTES <= memory.capacity(); i += Long.BYTES) {
      memory.putLong(i, word);
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    ByteBuffer serialized = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(serialized, true);
    blocks.put(key, serialized.array());
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false);
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return blocks.remove(key) != null;
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    int before = blocks.size();
    blocks.keySet().removeIf(key -> key.getHfileName().equals(hfileName));
    return before - blocks.size();
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  @Override
  public void shutdown() {
    blocks.clear();
  }

  @Override
  public long size() {
    return blocks.values().stream().mapToLong(block -> block.length).sum();
  }

  @Override
  public long getMaxSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public long getFreeSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public long getCurrentSize() {
    return size();
  }

  @Override
  public long getCurrentDataSize() {
    return size();
  }

  @Override
  public long getBlockCount() {
    return blocks.size();
  }

  @Override
  public long getDataBlockCount() {
    return blocks.size();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return Collections.emptyIterator();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }
}
