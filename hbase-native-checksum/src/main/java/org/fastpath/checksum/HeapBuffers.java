package org.fastpath.checksum;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Finds the array behind a heap buffer, also behind a read-only one, which hides it. The JDK's
 * {@code CRC32.update(ByteBuffer)} copies a read-only heap buffer through a fresh array of 4 KiB;
 * with the array at hand nothing is copied.
 *
 * <p>Looking behind a read-only buffer needs {@code --add-opens java.base/java.nio=ALL-UNNAMED},
 * which {@code bin/hbase} sets. Without it such buffers take the JDK's way. The array is only ever
 * read.
 */
final class HeapBuffers {
  private static final VarHandle ARRAY = field("hb", byte[].class);
  private static final VarHandle OFFSET = field("offset", int.class);

  private HeapBuffers() {}

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(ByteBuffer.class, MethodHandles.lookup())
          .findVarHandle(ByteBuffer.class, name, type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** The array behind {@code buffer}, or null where there is none or it cannot be seen. */
  static byte[] array(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return buffer.array();
    }
    return buffer.isDirect() || ARRAY == null || OFFSET == null ? null : (byte[]) ARRAY.get(buffer);
  }

  /** Where index 0 of {@code buffer} lies in its {@link #array}, which is not null. */
  static int arrayOffset(ByteBuffer buffer) {
    return buffer.hasArray() ? buffer.arrayOffset() : (int) OFFSET.get(buffer);
  }
}
