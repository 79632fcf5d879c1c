package org.fastpath.offheap.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Consecutive regions of a file. The file grows by writing zeros, never by setting its length. A
 * hole without space on the device would cause a SIGBUS at the first access, while a write reports
 * a full device. So a file of full length is complete.
 */
final class MappedRegions implements CacheMemory.Source {
  private static final int CHUNK = 1 << 20;

  private final Path file;
  private final FileChannel channel;

  /** The length of the file before the first region was mapped; the file never becomes shorter. */
  private final long inherited;

  private long end;

  private MappedRegions(Path file, FileChannel channel, long dataOffset) throws IOException {
    this.file = file;
    this.channel = channel;
    this.inherited = channel.size();
    this.end = dataOffset;
  }

  static MappedRegions of(Path file, long dataOffset) {
    if (dataOffset < 0 || dataOffset % CacheMemory.PAGE != 0) {
      throw new IllegalArgumentException("offset of the first region: " + dataOffset);
    }
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      return new MappedRegions(file, channel, dataOffset);
    } catch (IOException e) {
      throw new CacheConfigurationException("The block cache's file cannot be opened: " + e, e);
    }
  }

  @Override
  public long limit() {
    return Long.MAX_VALUE - end;
  }

  @Override
  public CacheMemory.Region open(int bytes) throws IOException {
    reserve(end + bytes);
    ByteBuffer region;
    try {
      region = channel.map(MapMode.READ_WRITE, end, bytes);
    } catch (IOException | RuntimeException | Error e) {
      channel.truncate(Math.max(end, inherited));
      throw e;
    }
    end += bytes;
    return CacheMemory.Region.of(region, region);
  }

  private void reserve(long length) throws IOException {
    long before = channel.size();
    if (before >= length) {
      return;
    }
    ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK);
    try {
      for (long at = before; at < length; at += zeros.position()) {
        zeros.clear().limit((int) Math.min(CHUNK, length - at));
        writeFully(zeros, at);
      }
    } catch (IOException | RuntimeException | Error e) {
      channel.truncate(before);
      throw e;
    } finally {
      Memory.free(zeros);
    }
  }

  private void writeFully(ByteBuffer from, long at) throws IOException {
    long start = at;
    while (from.hasRemaining()) {
      start += channel.write(from, start);
    }
  }

  @Override
  public void release(CacheMemory.Region region) throws IOException {
    Memory.free(region.root());
    end -= region.buffer().capacity();
    channel.truncate(Math.max(end, inherited));
  }

  @Override
  public String refusal(long bytes) {
    return "The block cache's file "
        + file
        + " cannot have "
        + bytes
        + " bytes reserved and mapped";
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
