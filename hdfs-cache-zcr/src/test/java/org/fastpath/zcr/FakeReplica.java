package org.fastpath.zcr;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.ExtendedBlockId;

/** A replica whose bytes say whether they are mapped; it is its own mapping. */
final class FakeReplica implements MappableReplica, MappedReplica {
  private static final byte MAPPED = 42;
  private static final byte UNMAPPED = 13;

  final AtomicInteger closed = new AtomicInteger();
  final AtomicInteger mapped = new AtomicInteger();
  final AtomicInteger unmapped = new AtomicInteger();
  final AtomicInteger invalidated = new AtomicInteger();
  volatile boolean mappable = true;
  volatile boolean open = true;
  volatile boolean valid = true;
  volatile boolean locked = true;
  volatile long fileLength;
  private FileInputStream data;
  private final boolean anchored;
  private final ByteBuffer bytes;

  FakeReplica(boolean anchored, int length) {
    this(anchored, ByteBuffer.allocateDirect(length));
  }

  private FakeReplica(boolean anchored, ByteBuffer bytes) {
    this.anchored = anchored;
    this.bytes = bytes;
    fileLength = bytes.capacity();
    fill(MAPPED);
  }

  /** Returns a file as a replica, which it makes so long; {@code data} is for asking. */
  static FakeReplica of(RandomAccessFile file, FileInputStream data, int length)
      throws IOException {
    FakeReplica replica =
        new FakeReplica(true, file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, length));
    replica.data = data;
    return replica;
  }

  /** Returns a mapping of it with one pin, of which nobody keeps account. */
  Mapping mapping() {
    return new Mapping(
        new BlockVersion(new ExtendedBlockId(1, "pool"), 1),
        this,
        bytes.capacity(),
        0,
        new Unaccounted());
  }

  private static final class Unaccounted implements Mapping.Owner {
    @Override
    public void retired(Mapping mapping, Retirement why, boolean held) {}

    @Override
    public void unused(Mapping mapping, boolean held) {
      mapping.unmap();
    }
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
  public MappedReplica map() throws NotMappedException {
    if (!mappable) {
      throw Fallback.UNMAPPABLE.exception();
    }
    mapped.incrementAndGet();
    return this;
  }

  @Override
  public void close() {
    closed.incrementAndGet();
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
    return data == null ? open && length <= fileLength : ShortCircuitMapping.reaches(data, length);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void invalidate() {
    requireMapped();
    invalidated.incrementAndGet();
  }

  @Override
  public void unmap() {
    fill(UNMAPPED);
    unmapped.incrementAndGet();
  }
}
