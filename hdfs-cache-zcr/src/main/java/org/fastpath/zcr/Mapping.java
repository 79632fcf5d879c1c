package org.fastpath.zcr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * A mapped replica that many readers share.
 *
 * <p>Hadoop unmaps a replica explicitly, so a late read causes a SIGSEGV and ends the process. A
 * garbage collector would hold descriptors and locked memory for too long. So this class counts
 * pins. A pin lasts for one copy, or for the life of a slice. An idle stream holds no pin.
 *
 * <p>One word holds the number of pins and, in its sign, whether the mapping is retired:
 *
 * <pre>
 *        pin        pin               retire             unpin
 *   0 --------&gt; 1 --------&gt; 2 ... n --------&gt; R + n ... --------&gt; R + 0   unused
 *   |                                                                ^
 *   +----------------------------------------------------------------+
 *                 retire, or retireUnused, which does only this step
 * </pre>
 *
 * <p>The rules:
 *
 * <ol>
 *   <li>Bytes and slot are accessed only between a successful {@link #pin} and its {@link #unpin}.
 *       The slot's memory is unmapped with the mapping, so a check of the slot is a read, too.
 *   <li>A retired mapping is never pinned again. {@link #pin} and {@link #unpin} compare and set
 *       the whole word. An add-then-undo count would reach R + 0 more than once.
 *   <li>The word reaches R + 0 once. The thread that sets it notifies the owner. Every other access
 *       has happened before, because each ends with an atomic change of the word.
 *   <li>The owner unmaps after a grace period, in which late readers still get the right bytes.
 *       {@link Slice} has a debug mode that finds such readers.
 *   <li>After it has counted, a pin checks the slot. It retires the mapping if the DataNode revoked
 *       the replica or wants its memory back. Existing readers finish; new readers find the block
 *       again.
 *   <li>No count prevents a truncation of the file: see {@link CheckedCopy}.
 * </ol>
 *
 * <p>The cost is two atomic changes per copied read: about 20 ns alone, 100 ns if all processors
 * read one block. The copy takes microseconds. Counts by thread or epochs would scale further, but
 * the end of a mapping would need a search.
 *
 * <p>References: (1) J. Valois, Lock-free linked lists using compare-and-swap, PODC 1995. (2) M.
 * Michael and M. Scott, TR 599, University of Rochester, 1995: a count must not change after it
 * reached zero. (3) P. McKenney and others, Documentation/RCU/rcuref.rst of Linux.
 */
final class Mapping {
  private static final VarHandle STATE = handle("state", int.class);
  private static final VarHandle COMPANION = handle("companion", Companion.class);
  private static final int RETIRED = Integer.MIN_VALUE;
  private static final long WHOLE_NANOS = 1_000_000;

  /** The owner of mappings. The thread that changes a mapping calls it. */
  interface Owner {
    /**
     * Reports that a mapping takes no new readers.
     *
     * @param held whether existing readers have not finished
     */
    void retired(Mapping mapping, Retirement why, boolean held);

    /**
     * Reports a retired mapping without readers. The owner calls {@link #unmap}, now or later.
     *
     * @param held whether it had readers when it was retired
     */
    void unused(Mapping mapping, boolean held);

    /** Returns whether slices are copies that are overwritten at their close. */
    default boolean poisons() {
      return false;
    }
  }

  private final BlockVersion block;
  private final MappedReplica replica;
  private final long reserved;
  private final Owner owner;
  private final ByteBuffer bytes;
  private final ByteBuffer readOnly;
  private final boolean anchored;
  private final VerifiedOffsets verified = new VerifiedOffsets();

  /** The object that readers attached; null until one does. */
  private volatile Companion companion;

  /** Pins, and {@link #RETIRED}. */
  private volatile int state = 1;

  /** Whether it was pinned since the last sweep; lost updates do not matter. */
  private boolean recent = true;

  /** The time of the last use, by the sweep. */
  private volatile long lastUseNanos;

  /** The last time at which the file was known to be whole. */
  private volatile long wholeNanos;

  /**
   * Makes a mapping with one pin for the caller.
   *
   * @param reserved the bytes that count against the limit
   */
  Mapping(BlockVersion block, MappedReplica replica, long reserved, long nowNanos, Owner owner) {
    this.block = block;
    this.replica = replica;
    this.reserved = reserved;
    this.owner = owner;
    lastUseNanos = nowNanos;
    wholeNanos = nowNanos;
    bytes = replica.bytes();
    readOnly = bytes.asReadOnlyBuffer();
    anchored = replica.isAnchored();
  }

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(Mapping.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The life.

  /** Pins the bytes until {@link #unpin}. Returns false if new readers may not use them. */
  boolean pin() {
    if (!recent) {
      recent = true;
    }
    return acquire();
  }

  private boolean acquire() {
    return enter() && (replica.isCurrent() || refuse());
  }

  private boolean enter() {
    for (int pins = state; pins >= 0; pins = state) {
      if (STATE.compareAndSet(this, pins, pins + 1)) {
        return true;
      }
    }
    return false;
  }

  private boolean refuse() {
    retire(replica.isValid() ? Retirement.UNCACHED : Retirement.INVALID);
    unpin();
    return false;
  }

  /** Ends a pin. After the last one, a retired mapping is unused. */
  void unpin() {
    int pins;
    do {
      pins = state;
      if ((pins & ~RETIRED) == 0) {
        throw new IllegalStateException("unpinned more often than pinned: " + this);
      }
    } while (!STATE.compareAndSet(this, pins, pins - 1));
    if (pins == RETIRED + 1) {
      owner.unused(this, true);
    }
  }

  /** Rejects new readers. Without readers the mapping is unused. A second call does nothing. */
  void retire(Retirement why) {
    int pins;
    do {
      pins = state;
      if (pins < 0) {
        return;
      }
    } while (!STATE.compareAndSet(this, pins, pins | RETIRED));
    owner.retired(this, why, pins > 0);
    if (pins == 0) {
      owner.unused(this, false);
    }
  }

  /** Retires the mapping if it has no reader. Returns whether it did. */
  boolean retireUnused(Retirement why) {
    if (!STATE.compareAndSet(this, 0, RETIRED)) {
      return false;
    }
    owner.retired(this, why, false);
    owner.unused(this, false);
    return true;
  }

  /**
   * Retires the mapping because its bytes may be wrong.
   *
   * @return whether the replica's file was truncated; if not, the kernel could not be asked
   */
  boolean retireDamaged() {
    boolean truncated = replica.isOpen();
    retire(truncated ? Retirement.TRUNCATED : Retirement.REOPENED);
    return truncated;
  }

  /** Retires the mapping because the block has a newer generation, which is another replica. */
  void supersede() {
    if (enter()) {
      replica.invalidate();
      retire(Retirement.SUPERSEDED);
      unpin();
    }
  }

  /** Unmaps the memory, once. The owner calls it after the mapping is unused. */
  void unmap() {
    try {
      replica.unmap();
    } finally {
      Companion beside = companion;
      if (beside != null) {
        beside.unmapped();
      }
    }
  }

  // Methods for callers with a pin.

  /** Returns the block. Callers never change its position. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Returns a read-only part of the block, valid until {@link #unpin}. */
  ByteBuffer slice(int offset, int length) {
    return readOnly.slice(offset, length);
  }

  /** Returns the attached object; the first call makes it. */
  Companion companion(IntFunction<Companion> maker) {
    Companion known = companion;
    if (known != null) {
      return known;
    }
    Companion made = maker.apply(length());
    if (COMPANION.compareAndSet(this, null, made)) {
      return made;
    }
    made.unmapped();
    return companion;
  }

  /** Returns whether slices of it are copies that are overwritten at their close. */
  boolean poisons() {
    return owner.poisons();
  }

  /** Returns whether the replica's file is at least so long. Asks the kernel. */
  boolean reaches(long length) {
    return replica.reaches(length);
  }

  /** Returns whether the replica's file was whole at the last recent question to the kernel. */
  boolean wasWhole(long nowNanos) {
    if (nowNanos - wholeNanos < WHOLE_NANOS) {
      return true;
    }
    boolean whole = reaches(length());
    if (whole) {
      wholeNanos = nowNanos;
    }
    return whole;
  }

  // Methods for every caller.

  BlockVersion block() {
    return block;
  }

  int length() {
    return bytes.capacity();
  }

  long reserved() {
    return reserved;
  }

  boolean isAnchored() {
    return anchored;
  }

  VerifiedOffsets verified() {
    return verified;
  }

  /** Returns whether it serves a read of so many bytes, of a verified replica or of any. */
  boolean serves(boolean anchoredOnly, long length) {
    return (anchored || !anchoredOnly) && length <= length();
  }

  int pins() {
    return state & ~RETIRED;
  }

  boolean isRetired() {
    return state < 0;
  }

  // Methods for the registry.

  /**
   * Retires the mapping if the DataNode revoked the replica, wants its memory back, or truncated
   * it.
   */
  void check() {
    if (acquire()) {
      if (!reaches(length())) {
        retireDamaged();
      }
      unpin();
    }
  }

  /** Records whether the mapping was used since the last call. Returns the time of its last use. */
  long observe(long nowNanos) {
    if (recent || pins() > 0) {
      recent = false;
      lastUseNanos = nowNanos;
    }
    return lastUseNanos;
  }

  boolean isRecent() {
    return recent;
  }

  long lastUseNanos() {
    return lastUseNanos;
  }

  @Override
  public String toString() {
    return "Mapping[" + block + ", " + pins() + (isRetired() ? " pins, retired]" : " pins]");
  }
}
