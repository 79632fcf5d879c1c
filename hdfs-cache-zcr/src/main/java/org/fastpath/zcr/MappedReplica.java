package org.fastpath.zcr;

import java.nio.ByteBuffer;

/**
 * A replica on this machine that is mapped into the process. All but {@link #unmap} may be called
 * by any thread until {@link #unmap} is; {@link Mapping} sees to that.
 */
interface MappedReplica {
  /** The whole block, from 0 to its length; never to be positioned. */
  ByteBuffer bytes();

  /** Whether the DataNode keeps the block in locked memory for us, having verified it. */
  boolean isAnchored();

  /** Whether the DataNode still has this replica. */
  boolean isValid();

  /** Whether new readers may have it: valid, and as it was anchored, still to be anchored. */
  boolean isCurrent();

  /** Whether the replica's file is at least so long; asks the kernel. */
  boolean reaches(long length);

  /** Whether the kernel can still be asked; not if another reader has closed the descriptor. */
  boolean isOpen();

  /** Has Hadoop's cache ask the DataNode for another replica when the block is next read. */
  void invalidate();

  /** Gives mapping, anchor and slot back. Whoever touches the bytes afterwards ends the JVM. */
  void unmap();
}
