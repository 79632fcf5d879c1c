package org.fastpath.bench.workloads.hdfs;

import java.nio.ByteBuffer;
import java.util.List;

/** Chunks of off-heap memory that contains the whole file. */
final class MemoryChunks implements Chunks {
  private final List<ByteBuffer> memory;
  private int next;

  MemoryChunks(DoubleFile file, int chunkBytes) {
    memory = file.inMemory(chunkBytes);
  }

  @Override
  public void rewind() {
    next = 0;
  }

  @Override
  public ByteBuffer next() {
    return next == memory.size() ? null : memory.get(next++);
  }

  @Override
  public void close() {
    memory.clear();
  }
}
