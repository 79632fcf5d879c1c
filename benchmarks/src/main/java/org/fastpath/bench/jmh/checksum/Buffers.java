package org.fastpath.bench.jmh.checksum;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies bytes to buffers in the layout of a benchmark's {@code buffer} parameter. It is {@code
 * heap}, {@code direct}, or {@code N-part}, which means N direct buffers. HBase reads a block into
 * several buffers if it is larger than those of its pool, 65 KB.
 */
final class Buffers {
  private static final String HEAP = "heap";
  private static final String DIRECT = "direct";
  private static final String PARTS = "-part";

  private Buffers() {}

  static List<ByteBuffer> of(String layout, byte[] bytes) {
    if (layout.equals(HEAP)) {
      return List.of(ByteBuffer.wrap(bytes));
    }
    return cut(bytes, layout.equals(DIRECT) ? 1 : parts(layout));
  }

  private static int parts(String layout) {
    if (!layout.endsWith(PARTS)) {
      throw new IllegalArgumentException("buffer is heap, direct or N-part, not " + layout);
    }
    return Integer.parseInt(layout.substring(0, layout.length() - PARTS.length()));
  }

  /** Cuts at odd offsets, so chunks cross from part to part and no part begins aligned. */
  private static List<ByteBuffer> cut(byte[] bytes, int parts) {
    List<ByteBuffer> buffers = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= parts; i++) {
      int end = i == parts ? bytes.length : (int) ((long) bytes.length * i / parts) | 1;
      buffers.add(direct(bytes, start, end - start));
      start = end;
    }
    return buffers;
  }

  private static ByteBuffer direct(byte[] bytes, int offset, int length) {
    return ByteBuffer.allocateDirect(length).put(bytes, offset, length).flip();
  }
}
