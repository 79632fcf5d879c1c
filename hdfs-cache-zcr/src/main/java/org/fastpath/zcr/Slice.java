package org.fastpath.zcr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A part of a block in memory. It pins the block's mapping until it is closed, by any thread. What
 * was made of its buffer must not live longer: a read after the mapping's grace ends the JVM.
 *
 * <p>With {@code dfs.fastpath.zcr.debug} the buffer is a copy, and {@link #close} overwrites it. A
 * late reader then sees {@link #POISON} at once, in place of a crash at some other time.
 */
public final class Slice implements AutoCloseable {
  /** The byte that a closed slice consists of in the debug mode. */
  public static final byte POISON = (byte) 0xDB;

  private static final VarHandle CLOSED = closed();

  private final Mapping mapping;
  private final int offset;
  private final ByteBuffer buffer;

  /** The memory of the copy; null without the debug mode. */
  private final ByteBuffer copy;

  private volatile boolean closed;

  /** Takes over a pin. */
  Slice(Mapping mapping, int offset, int length) {
    this.mapping = mapping;
    this.offset = offset;
    ByteBuffer mapped = mapping.slice(offset, length);
    copy = mapping.poisons() ? ByteBuffer.allocateDirect(length).put(0, mapped, 0, length) : null;
    buffer = copy == null ? mapped : copy.asReadOnlyBuffer();
  }

  private static VarHandle closed() {
    try {
      return MethodHandles.lookup().findVarHandle(Slice.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The bytes, which cannot be written to. The same object each time.
   *
   * @throws IllegalStateException if it was closed
   */
  public ByteBuffer buffer() {
    if (closed) {
      throw new IllegalStateException("a slice of " + mapping + " is read after it was closed");
    }
    return buffer;
  }

  /** In bytes, whatever the buffer's limit was made. */
  public int length() {
    return buffer.capacity();
  }

  /** Where it starts in the mapping that it is a part of. */
  public int offset() {
    return offset;
  }

  /**
   * Offsets in its mapping from which on bytes were found good, by whoever knows what is there. All
   * slices of one mapping share it, and it ends with the mapping.
   */
  public VerifiedOffsets verified() {
    return mapping.verified();
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
    return mapping.reaches((long) offset + length());
  }

  /**
   * Whether the replica's file had all of the block when the kernel was last asked, a millisecond
   * ago at most. If not, nobody gets another slice of the mapping.
   */
  public boolean wasWhole() {
    return mapping.wasWhole(System.nanoTime()) || lost();
  }

  /**
   * Copies a part of it.
   *
   * @return false if the replica's file ends before, so that what was copied is worth nothing, and
   *     nobody gets another slice of the mapping
   */
  public boolean copy(int from, byte[] target, int index, int count) {
    Objects.checkFromIndexSize(from, count, length());
    Objects.checkFromIndexSize(index, count, target.length);
    return CheckedCopy.copy(mapping, offset + from, target, index, count) || lost();
  }

  private boolean lost() {
    mapping.retireDamaged();
    return false;
  }

  /** Ends its use. Closing twice does nothing. */
  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      poison();
      ZeroCopyMetrics.released();
      mapping.unpin();
    }
  }

  private void poison() {
    if (copy != null) {
      for (int i = 0; i < copy.capacity(); i++) {
        copy.put(i, POISON);
      }
    }
  }
}
