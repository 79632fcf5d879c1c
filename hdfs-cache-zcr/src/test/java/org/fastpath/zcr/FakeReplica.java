package org.fastpath.zcr;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.ExtendedBlockId;

/** A replica whose bytes say whether they are mapped. */
final class FakeReplica implements MappedReplica {
  private static final byte MAPPED = 42;
  private static final byte UNMAPPED = 13;

  final AtomicInteger unmapped = new AtomicInteger();
  volatile boolean valid = true;
  volatile boolean locked = true;
  volatile long fileLength;
  private final boolean anchored;
  private final ByteBuffer bytes;

  FakeReplica(boolean anchored, int length) {
    this.anchored = anchored;
    bytes = ByteBuffer.allocateDirect(length);
    fileLength = length;
    fill(MAPPED);
  }

  /** A mapping of it with one pin, of which nobody keeps account. */
  Mapping mapping() {
    return new Mapping(
        new ExtendedBlockId(1, "pool"), this, bytes.capacity(), 0, new Unaccounted());
  }

  private static final class Unaccounted implements Mapping.Owner {
    @Override
    public void retired(Mapping mapping, Retirement why, boolean held) {}

    @Override
    public void unmapped(Mapping mapping, boolean held) {}
  }

  private void fill(byte value) {
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put(i, value);
    }
  }

  /** Takes away the file's last byte, which then reads as zero. */
  void zeroTail() {
    fileLength--;
    bytes.put((int) fileLength, (byte) 0);
  }

  /** Fails if the bytes are gone; to be called by who has pinned them. */
  void requireMapped() {
    for (int i = 0; i < bytes.capacity(); i++) {
      if (bytes.get(i) != MAPPED) {
        throw new AssertionError("read after unmap");
      }
    }
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
    return valid;
  }

  @Override
  public boolean isCurrent() {
    if (unmapped.get() > 0) {
      throw new AssertionError("looked at after unmap");
    }
    return valid && (!anchored || locked);
  }

  @Override
  public boolean reaches(long length) {
    return length <= fileLength;
  }

  @Override
  public void unmap() {
    fill(UNMAPPED);
    unmapped.incrementAndGet();
  }
}
