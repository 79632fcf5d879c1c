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
 * A replica as Hadoop's short-circuit cache maps it. It owns a reference to the replica, which
 * keeps mapping, descriptors and slot, and an anchor if it says so.
 */
final class ShortCircuitMapping implements MappedReplica {
  private static final Logger LOG = LoggerFactory.getLogger(ShortCircuitMapping.class);

  private final ClientMmap mmap;
  private final boolean anchored;
  private final Slot slot;
  private final FileInputStream data;
  private final ByteBuffer bytes;

  /**
   * Takes over the reference and the anchor that {@code mmap} has.
   *
   * @param length of the block; the file is as long or longer
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
   * Whether a replica's file is so long. Nobody moves the position of its stream, so that what is
   * available is its length; a channel would also tell, but takes a lock, and closes the descriptor
   * that all share when the asking thread is interrupted.
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
      LOG.warn("A mapping of block {} was not given back as it should", slot.getBlockId(), e);
    }
  }
}
