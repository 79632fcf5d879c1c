package org.fastpath.zcr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A part of a block in memory. It pins the block's mapping until any thread closes it. Views of its
 * buffer must not live longer: a read after the mapping's grace period ends the JVM.
 *
 * <p>With {@code dfs.fastpath.zcr.debug} the buffer is a copy, and {@link #close} overwrites it. A
 * late reader then sees {@link #POISON} at once, in place of a crash at some other time.
 */
public final class Slice implements AutoCloseable {
  /** The byte that fills a closed slice in the debug mode. */
  public static final byte POISON = (byte) 0xDB;

  private static final VarHandle CLOSED = closed();

  private final Mapping mapping;
  private final int offset;
  private final ByteBuffer buffer;

  /** The memory of the copy; null without the debug mode. */
  private final ByteBuffer copy;

  private volatile boolean closed;

  /**
   * Takes over a pin.
   *
   * @throws InternalError in the debug mode if the replica's file ends before
   */
  Slice(Mapping mapping, int offset, int length) {
    this.mapping = mapping;
    this.offset = offset;
    copy = mapping.poisons() ? copy(mapping, offset, length) : null;
    buffer = copy == null ? mapping.slice(offset, length) : copy.asReadOnlyBuffer();
  }

  private static ByteBuffer copy(Mapping mapping, int offset, int length) {
    ByteBuffer copy = ByteBuffer.allocateDirect(length);
    if (!CheckedCopy.copy(mapping, offset, copy, 0, length)) {
      throw new InternalError("The replica's file ends within " + length + " bytes at " + offset);
    }
    return copy;
  }

  private static VarHandle closed() {
    try {
      return MethodHandles.lookup().findVarHandle(Slice.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Returns the read-only bytes, always as the same object.
   *
   * @throws IllegalStateException if it was closed
   */
  public ByteBuffer buffer() {
    if (closed) {
      throw new IllegalStateException("a slice of " + mapping + " is read after its close");
    }
    return buffer;
  }

  /** Returns the length in bytes, independent of the buffer's limit. */
  public int length() {
    return buffer.capacity();
  }

  /** Returns its offset in its mapping. */
  public int offset() {
    return offset;
  }

  /**
   * Returns the verified offsets in its mapping. A caller that knows the format verifies bytes. All
   * slices of one mapping share the offsets, which end with the mapping.
   */
  public VerifiedOffsets verified() {
    return mapping.verified();
  }

  /** Returns whether the DataNode verified the block before it locked it in memory. */
  public boolean isVerified() {
    return mapping.isAnchored();
  }

  /**
   * Returns whether the replica's file still contains the whole slice. Otherwise some bytes are
   * zeros or fault. Asks the kernel.
   */
  public boolean isWhole() {
    return mapping.reaches((long) offset + length());
  }

  /**
   * Returns whether the replica's file contained the whole block at the last question to the
   * kernel, at most a millisecond ago. Otherwise the mapping gives no further slices.
   */
  public boolean wasWhole() {
    return mapping.wasWhole(System.nanoTime()) || lost();
  }

  /**
   * Copies a part of the slice.
   *
   * @return false if the replica's file ends before; the copied bytes are then invalid, and the
   *     mapping gives no further slices
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
