package org.fastpath.zcr;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitShm.Slot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mapping by Hadoop's short-circuit cache. It owns a reference to the replica, which keeps
 * mapping, descriptors and slot, and possibly an anchor.
 */
final class ShortCircuitMapping implements MappedReplica {
  private static final Logger LOG = LoggerFactory.getLogger(ShortCircuitMapping.class);

  private final ClientMmap mmap;
  private final boolean anchored;
  private final Slot slot;
  private final FileInputStream data;
  private final ByteBuffer bytes;

  /**
   * Takes over the reference and the anchor of {@code mmap}.
   *
   * @param length of the block; the file is at least as long
   */
  ShortCircuitMapping(ShortCircuitReplica replica, ClientMmap mmap, boolean anchored, int length) {
    this.mmap = mmap;
    this.anchored = anchored;
    slot = replica.getSlot();
    data = replica.getDataStream();
    bytes = mmap.getMappedByteBuffer().slice(0, length);
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public boolean isAnchored() {
    return anchored;
  }

  @Override
  public boolean isValid() {
    return slot.isValid();
  }

  @Override
  public boolean isCurrent() {
    return slot.isValid() && (!anchored || slot.isAnchorable());
  }

  @Override
  public boolean reaches(long length) {
    return reaches(data, length);
  }

  @Override
  public boolean isOpen() {
    return data.getChannel().isOpen();
  }

  @Override
  public void invalidate() {
    slot.makeInvalid();
  }

  /**
   * Returns whether a replica's file is so long. The position of its stream never moves, so its
   * available bytes are its length. A channel also knows the length. But it takes a lock, and an
   * interrupt of the thread would close the shared descriptor.
   */
  static boolean reaches(FileInputStream data, long length) {
    try {
      return data.available() >= length;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void unmap() {
    try {
      mmap.close();
    } catch (RuntimeException e) {
      LOG.warn("A mapping of block {} could not be released cleanly", slot.getBlockId(), e);
    }
  }
}
