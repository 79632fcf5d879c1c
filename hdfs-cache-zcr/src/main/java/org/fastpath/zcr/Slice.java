package org.fastpath.zcr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A part of a block in memory. It pins the block's mapping until it is closed, by any thread;
 * whoever reads the buffer after that ends the JVM. What was made of it must not live longer.
 */
public final class Slice implements AutoCloseable {
  private static final VarHandle CLOSED = closed();

  private final Mapping mapping;
  private final long end;
  private final ByteBuffer buffer;
  private volatile boolean closed;

  /** Takes over a pin. */
  Slice(Mapping mapping, int offset, int length) {
    this.mapping = mapping;
    end = (long) offset + length;
    buffer = mapping.slice(offset, length);
  }

  private static VarHandle closed() {
    try {
      return MethodHandles.lookup().findVarHandle(Slice.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The bytes, which cannot be written to. The same object each time. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * The mapping that it is a part of: equal for slices of one mapping only, for whoever remembers
   * what was found out about one. Holds on to the object and not to the mapped memory.
   */
  public Object mapping() {
    return mapping;
  }

  /** Whether the DataNode verified the block before it locked it in memory. */
  public boolean isVerified() {
    return mapping.isAnchored();
  }

  /**
   * Whether the replica's file still has all of it. If not, some of the bytes are zeros or fault;
   * asks the kernel.
   */
  public boolean isWhole() {
    return mapping.reaches(end);
  }

  /** Ends its use. Closing twice does nothing. */
  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      ZeroCopyMetrics.released();
      mapping.unpin();
    }
  }
}
