package org.fastpath.bench.story;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.NoTagsByteBufferKeyValue;

/** What HBase's abstract class ByteBufferExtendedCell would be, were it an interface. */
interface BufferBacked extends Cell {
  ByteBuffer getRowByteBuffer();

  int getRowPosition();

  /** HBase's cell off the heap, found by the interface. */
  final class WithTags extends ByteBufferKeyValue implements BufferBacked {
    WithTags(ByteBuffer buffer, int offset, int length) {
      super(buffer, offset, length);
    }
  }

  /** Its other one. */
  final class WithoutTags extends NoTagsByteBufferKeyValue implements BufferBacked {
    WithoutTags(ByteBuffer buffer, int offset, int length) {
      super(buffer, offset, length);
    }
  }
}
