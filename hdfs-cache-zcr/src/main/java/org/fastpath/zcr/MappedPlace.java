package org.fastpath.zcr;

import java.util.function.IntFunction;

/**
 * A place in a mapping, which it pins until {@link #slice} or {@link #close}. It costs less than a
 * {@link Slice} and does not need to know how many bytes the reader wants.
 *
 * <p>For one thread.
 */
public final class MappedPlace implements AutoCloseable {
  private final MappedInputStream stream;
  private final Mapping mapping;
  private final int offset;
  private final int left;
  private boolean pinned = true;

  /** Takes over a pin. */
  MappedPlace(MappedInputStream stream, Mapping mapping, int offset, int left) {
    this.stream = stream;
    this.mapping = mapping;
    this.offset = offset;
    this.left = left;
  }

  /** Returns where it is in the mapping. */
  public int offset() {
    return offset;
  }

  /** Returns how many bytes follow in the same block of the file. */
  public int left() {
    return left;
  }

  /** Returns whether the DataNode verified the block before it locked it in memory. */
  public boolean isVerified() {
    return mapping.isAnchored();
  }

  /** Returns the offsets in the mapping from which on bytes were found good. */
  public VerifiedOffsets verified() {
    return mapping.verified();
  }

  /**
   * Returns what is kept beside the mapping. All readers of the mapping get the same object.
   *
   * @param maker makes it for the first reader, from the length of the mapping
   */
  public Companion companion(IntFunction<Companion> maker) {
    return mapping.companion(maker);
  }

  /** As {@link Slice#wasWhole}. */
  public boolean wasWhole() {
    return mapping.wasWhole(System.nanoTime()) || lost();
  }

  /** As {@link Slice#copy}, counted from this place. */
  public boolean copy(byte[] target, int count) {
    return CheckedCopy.copy(mapping, offset, target, 0, count) || lost();
  }

  private boolean lost() {
    mapping.retireDamaged();
    return false;
  }

  /** Makes a slice of so many bytes from this place on, which takes over the pin. */
  public Slice slice(int length) {
    Slice slice = new Slice(mapping, offset, length);
    pinned = false;
    stream.sliced(mapping, length);
    return slice;
  }

  /** Ends the pin, if no slice has it. */
  @Override
  public void close() {
    if (pinned) {
      pinned = false;
      mapping.unpin();
    }
  }
}
