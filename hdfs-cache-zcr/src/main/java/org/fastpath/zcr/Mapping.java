package org.fastpath.zcr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * A mapped replica that many readers share, and the rules of its life.
 *
 * <p>Hadoop unmaps a replica by hand, so that whoever reads it a moment too late takes a SIGSEGV,
 * which is the end of the process. A garbage collector could tell when nobody reads any more, but
 * much later: until then the mapping holds two descriptors, a slot, its address space, the disk
 * space of a deleted block and, as an anchor, the DataNode's locked memory. So readers are counted.
 * What is counted is pins, not streams: a pin lasts for one copy, or for as long as somebody holds
 * a slice, and a stream that nobody reads holds up nothing.
 *
 * <p>One word has the number of pins and, in its sign, whether the mapping is retired:
 *
 * <pre>
 *        pin        pin               retire             unpin
 *   0 --------&gt; 1 --------&gt; 2 ... n --------&gt; R + n ... --------&gt; R + 0   unused
 *   |                                                                ^
 *   +----------------------------------------------------------------+
 *                 retire, or retireUnused, which is for this step only
 * </pre>
 *
 * <p>The rules:
 *
 * <ol>
 *   <li>The bytes, and the slot in the memory shared with the DataNode, are touched between a
 *       {@link #pin} that said yes and its {@link #unpin} only. The slot goes with the mapping, and
 *       its memory is unmapped as well: to look whether a mapping is still good is reading, too.
 *   <li>A retired mapping is never pinned again. {@link #pin} and {@link #unpin} compare and set
 *       the whole word. An addition that is taken back would be cheaper under contention. But it
 *       reaches R + 0 more than once, and an unpin too many clears the sign for a moment.
 *   <li>The word reaches R + 0 once: either it was 0 when the sign was set, or a last pin goes. The
 *       thread that takes it there tells the owner. Every other access has happened before, as each
 *       ends with an atomic change of the word.
 *   <li>The owner unmaps after a grace. Code that keeps a cell for a little too long then still
 *       reads the right bytes. {@link Slice} has a mode for tests that finds such code.
 *   <li>A pin looks at the slot after it has counted itself, and retires the mapping if the
 *       DataNode has taken the replica away or wants its memory back. Readers that are there
 *       already finish: a deleted file stays readable while it is mapped, and an anchored one stays
 *       locked. New readers find the block anew.
 *   <li>The file itself may be truncated beneath a mapping, which no count prevents: {@link
 *       CheckedCopy}.
 * </ol>
 *
 * <p>The trade-off: two atomic changes of one word for each copied read, about 20 ns alone and some
 * 100 ns when all processors read the same block, beside microseconds for the copy itself. Counts
 * by thread or epochs would scale further; they would also make the end of a mapping a search.
 *
 * <p>References: (1) J. Valois, Lock-free linked lists using compare-and-swap, PODC 1995, with the
 * correction of (2) M. Michael and M. Scott, TR 599, University of Rochester, 1995: a count must
 * not be touched once it has said that nobody is left. (3) P. McKenney and others, RCU and
 * reference counts, Linux Journal and Documentation/RCU/rcuref.rst: the increment that fails on the
 * last reference.
 */
final class Mapping {
  private static final VarHandle STATE = handle("state", int.class);
  private static final VarHandle COMPANION = handle("companion", Companion.class);
  private static final int RETIRED = Integer.MIN_VALUE;
  private static final long WHOLE_NANOS = 1_000_000;

  /** Who keeps account of mappings; called by whichever thread changes one. */
  interface Owner {
    /**
     * It takes no new readers.
     *
     * @param held whether some have yet to finish
     */
    void retired(Mapping mapping, Retirement why, boolean held);

    /**
     * It is retired and no reader has it: the owner calls {@link #unmap}, now or later.
     *
     * @param held whether readers had yet to finish when it was retired
     */
    void unused(Mapping mapping, boolean held);

    /** Whether slices are copies that are overwritten when they are closed. */
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

  /** What readers keep beside it; null until one does. */
  private volatile Companion companion;

  /** Pins, and {@link #RETIRED}. */
  private volatile int state = 1;

  /** Whether it was pinned since the registry last looked; lost updates do not matter. */
  private boolean recent = true;

  /** When it was last found in use; the registry's. */
  private volatile long lastUseNanos;

  /** When the file was last known to be whole. */
  private volatile long wholeNanos;

  /**
   * Makes a mapping with one pin, the caller's.
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

  /** Keeps the bytes until {@link #unpin}; no if new readers may not have them. */
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

  /** Ends a pin; after the last one of a retired mapping it is unused. */
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

  /** Lets no new reader in; without readers it is unused then. Does nothing the second time. */
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

  /** Retires it if nobody reads it; says whether that was so. */
  boolean retireUnused(Retirement why) {
    if (!STATE.compareAndSet(this, 0, RETIRED)) {
      return false;
    }
    owner.retired(this, why, false);
    owner.unused(this, false);
    return true;
  }

  /**
   * Retires it because the bytes cannot be vouched for.
   *
   * @return whether the replica's file was truncated; if not, the kernel could not be asked
   */
  boolean retireDamaged() {
    boolean truncated = replica.isOpen();
    retire(truncated ? Retirement.TRUNCATED : Retirement.REOPENED);
    return truncated;
  }

  /** Retires it because the block has a newer generation, which is to be another replica. */
  void supersede() {
    if (enter()) {
      replica.invalidate();
      retire(Retirement.SUPERSEDED);
      unpin();
    }
  }

  /** Gives the memory back, once: for the owner, after it was told that it is unused. */
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

  // What may be done with it by who has pinned it.

  /** The block; never to be positioned. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** A part of the block that nobody can write to; valid until {@link #unpin}. */
  ByteBuffer slice(int offset, int length) {
    return readOnly.slice(offset, length);
  }

  /** What readers keep beside it, made by the first one that asks. */
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

  /** Whether slices of it are copies that are overwritten when they are closed. */
  boolean poisons() {
    return owner.poisons();
  }

  /** Whether the replica's file is at least so long; asks the kernel. */
  boolean reaches(long length) {
    return replica.reaches(length);
  }

  /** Whether the replica's file had all of it when the kernel was last asked, lately. */
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

  // What anybody may ask.

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

  /** Whether it will do for who wants so many bytes, of a verified replica or of any. */
  boolean serves(boolean anchoredOnly, long length) {
    return (anchored || !anchoredOnly) && length <= length();
  }

  int pins() {
    return state & ~RETIRED;
  }

  boolean isRetired() {
    return state < 0;
  }

  // For the registry.

  /** Retires it if the DataNode has taken the replica away, wants its memory back, or cut it. */
  void check() {
    if (acquire()) {
      if (!reaches(length())) {
        retireDamaged();
      }
      unpin();
    }
  }

  /** Notes whether it was in use since the last call; returns when it was last. */
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
