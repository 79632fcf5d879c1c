package org.fastpath.bench.hdfs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Chunks of memory off the heap that holds all that the file holds. */
final class MemoryChunks implements Chunks {
  private final List<ByteBuffer> memory = new ArrayList<>();
  private int next;

  MemoryChunks(DoubleFile file, int chunkBytes) {
    for (long begin = 0; begin < file.bytes(); begin += chunkBytes) {
      int length = (int) Math.min(chunkBytes, file.bytes() - begin);
      ByteBuffer chunk = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
      file.fill(chunk, begin);
      memory.add(chunk);
    }
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
