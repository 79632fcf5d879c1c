package org.fastpath.offheap.index;

/**
 * The bits of {@link BlockEntries#flags}. They are written before a block becomes visible. Only
 * {@link #UNVERIFIED} is cleared later, so concurrent threads may do it.
 */
public final class BlockFlags {
  /** The header of the block has fields about checksums. */
  public static final int HAS_CHECKSUM = 1;

  /** The block is in several parts. */
  public static final int MULTI_PART = 2;

  /** A secondary replica brought it in. */
  public static final int SECONDARY = 4;

  /** It is stored serialized, and copied on each hit. */
  public static final int GENERIC = 8;

  /** It was cached by an earlier process. */
  public static final int RESTORED = 16;

  /** It was cached by an earlier process, and its bytes are not verified yet. */
  public static final int UNVERIFIED = 32;

  /** An index of its cells lies behind it. */
  public static final int INDEXED = 64;

  /** The flags that survive a restart; the others depend on the block's place. */
  private static final int LASTING = HAS_CHECKSUM | SECONDARY | INDEXED;

  private BlockFlags() {}

  /** Returns the flags of a restored block, from its old flags. */
  public static byte restored(byte flags, boolean whole) {
    return (byte) (flags & LASTING | RESTORED | UNVERIFIED | (whole ? 0 : MULTI_PART));
  }

  public static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }
}
