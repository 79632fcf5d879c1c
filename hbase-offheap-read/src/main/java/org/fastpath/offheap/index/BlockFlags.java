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

  /** It has an index of its cells, behind it or in a part of its own. */
  public static final int INDEXED = 64;

  /** It is in two parts, the block and its index. */
  public static final int INDEX_APART = 128;

  /** The flags that survive a restart; the others depend on the block's place. */
  private static final int LASTING = HAS_CHECKSUM | SECONDARY | INDEXED;

  /** As {@link #LASTING}, of a block that is in several parts again. */
  private static final int LASTING_IN_PARTS = LASTING | INDEX_APART;

  private BlockFlags() {}

  /** Returns the flags of a restored block, from its old flags. */
  public static byte restored(byte flags, boolean whole) {
    int lasting = whole ? flags & LASTING : flags & LASTING_IN_PARTS | MULTI_PART;
    return (byte) (lasting | RESTORED | UNVERIFIED);
  }

  public static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  /** Returns whether the block without its index is in one piece. */
  public static boolean isTogether(int flags) {
    return (flags & (MULTI_PART | INDEX_APART)) != MULTI_PART;
  }
}
