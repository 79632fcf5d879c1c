package org.fastpath.zcr;

import java.nio.ByteBuffer;

/**
 * A replica on this machine that is mapped into the process. Any thread may call the methods before
 * {@link #unmap}; {@link Mapping} ensures the order.
 */
interface MappedReplica {
  /** Returns the whole block, from 0 to its length. Callers never change its position. */
  ByteBuffer bytes();

  /** Returns whether the DataNode verified the block and keeps it in locked memory for us. */
  boolean isAnchored();

  /** Returns whether the DataNode still has this replica. */
  boolean isValid();

  /**
   * Returns whether new readers may use it: it is valid and, if it was anchored, still anchored.
   */
  boolean isCurrent();

  /** Returns whether the replica's file is at least so long. Asks the kernel. */
  boolean reaches(long length);

  /**
   * Returns whether the kernel can still be asked. It cannot after another reader closed the
   * descriptor.
   */
  boolean isOpen();

  /**
   * Makes Hadoop's cache request another replica from the DataNode at the next read of the block.
   */
  void invalidate();

  /** Releases mapping, anchor and slot. A later access to the bytes ends the JVM. */
  void unmap();
}
