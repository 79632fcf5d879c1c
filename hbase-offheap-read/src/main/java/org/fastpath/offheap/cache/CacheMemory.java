package org.fastpath.offheap.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that cached blocks lie in: regions of at most 1 GiB, because a buffer's length is an
 * int, of direct memory or of a file that is mapped. Each begins at a cache line, and every page of
 * it is there from the start: what cannot be had is known then, and no block pays for a page fault
 * later.
 *
 * <p>A place in it is a location: the number of the region, times 1 GiB, plus the offset in bytes.
 *
 * <p>Reading is safe from any thread; whoever adds or removes regions or closes sees to it that
 * nobody else does, and that nobody uses an address of what was taken away. A region that leaves a
 * running cache is given back by the garbage collection that finds no buffer of it any more: a
 * reader that goes on with a block that it has released reads something wrong then, as it would
 * from any cache, but does not end the process.
 */
final class CacheMemory implements AutoCloseable {
  static final String SIZE_KEY = "hbase.fastpath.offheap-cache.size";

  static final int REGION_SHIFT = 30;
  static final int MAX_REGION_BYTES = 1 << REGION_SHIFT;

  /** Sizes are rounded down to it. */
  static final int PAGE = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(CacheMemory.class);

  private final Source source;
  private final int regionBytes;
  private volatile Region[] regions = {};
  private volatile long bytes;

  /** Where regions come from. */
  interface Source extends AutoCloseable {
    /** The most bytes that there can be. */
    long limit();

    /** A region of this size, every page of it reserved. */
    Region open(int bytes) throws IOException;

    /** Gives the region that was opened last back. */
    void release(Region region) throws IOException;

    /** What to say when this many bytes cannot be had. */
    String refusal(long bytes);

    @Override
    void close() throws IOException;
  }

  /**
   * A region.
   *
   * @param root the buffer to free
   * @param buffer the region's bytes
   * @param address where they are
   */
  record Region(ByteBuffer root, ByteBuffer buffer, long address) {
    static Region of(ByteBuffer root, ByteBuffer buffer) {
      return new Region(root, buffer, OffHeap.address(buffer));
    }
  }

  private CacheMemory(Source source, int regionBytes) {
    if (regionBytes <= 0 || regionBytes > MAX_REGION_BYTES || regionBytes % PAGE != 0) {
      throw new IllegalArgumentException("bytes of a region: " + regionBytes);
    }
    this.source = source;
    this.regionBytes = regionBytes;
  }

  /**
   * Direct memory.
   *
   * @throws CacheConfigurationException if the JVM does not give so much
   */
  static CacheMemory direct(long bytes) {
    return direct(bytes, MAX_REGION_BYTES);
  }

  /** The same in smaller regions. */
  static CacheMemory direct(long bytes, int regionBytes) {
    return new CacheMemory(new DirectRegions(), regionBytes).fill(bytes);
  }

  /**
   * A file, mapped, which is made as long as needed. What a file of that length holds stays.
   *
   * @param dataOffset where in the file the first region begins, a multiple of {@link #PAGE}
   * @throws CacheConfigurationException if there is not enough space, or it cannot be mapped
   */
  static CacheMemory mapped(Path file, long dataOffset, long bytes) {
    return mapped(file, dataOffset, bytes, MAX_REGION_BYTES);
  }

  /** The same in smaller regions. */
  static CacheMemory mapped(Path file, long dataOffset, long bytes, int regionBytes) {
    return new CacheMemory(MappedRegions.of(file, dataOffset), regionBytes).fill(bytes);
  }

  private CacheMemory fill(long bytes) {
    try {
      addRegions(bytes);
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** How many regions there are. */
  int regions() {
    return regions.length;
  }

  /** A region's bytes. Its position and limit are nobody's to change. */
  ByteBuffer region(int region) {
    return regions[region].buffer;
  }

  /** Where a region begins. */
  long address(int region) {
    return regions[region].address;
  }

  /** Bytes of all regions. */
  long bytes() {
    return bytes;
  }

  /** The location of a place in a region. */
  static long location(int region, int offset) {
    return ((long) region << REGION_SHIFT) + offset;
  }

  static int regionOf(long location) {
    return (int) (location >>> REGION_SHIFT);
  }

  static int offsetOf(long location) {
    return (int) location & MAX_REGION_BYTES - 1;
  }

  long addressOf(long location) {
    return address(regionOf(location)) + offsetOf(location);
  }

  /**
   * Adds memory: all that is asked for, or nothing.
   *
   * @throws CacheConfigurationException if it cannot be had
   */
  void addRegions(long more) {
    long rounded = more - more % PAGE;
    if (rounded <= 0) {
      throw new CacheConfigurationException(
          SIZE_KEY + " is " + more + " bytes; at least " + PAGE + " are needed");
    }
    if (rounded > source.limit() - bytes) {
      throw new CacheConfigurationException(source.refusal(rounded));
    }
    int before = regions.length;
    try {
      Progress progress = new Progress(rounded);
      for (long left = rounded; left > 0; left -= regionBytes) {
        add(source.open((int) Math.min(left, regionBytes)));
        progress.reserved(rounded - Math.max(0, left - regionBytes));
      }
    } catch (OutOfMemoryError | IOException e) {
      releaseRegionsFrom(before);
      throw new CacheConfigurationException(source.refusal(rounded), e);
    }
  }

  private void add(Region region) {
    Region[] more = Arrays.copyOf(regions, regions.length + 1);
    more[more.length - 1] = region;
    regions = more;
    bytes = bytes + region.buffer.capacity();
  }

  /** Parts with the last region, whose memory is given back when nobody has a buffer of it. */
  void removeLastRegion() {
    Region last = regions[regions.length - 1];
    regions = Arrays.copyOf(regions, regions.length - 1);
    bytes = bytes - last.buffer.capacity();
  }

  /** Gives regions that nobody has seen yet back at once. */
  private void releaseRegionsFrom(int first) {
    while (regions.length > first) {
      Region last = regions[regions.length - 1];
      removeLastRegion();
      try {
        source.release(last);
      } catch (IOException e) {
        LOG.warn("The file of the block cache keeps its length", e);
      }
    }
  }

  /** Gives everything back at once: for a cache that was not used. A file keeps its contents. */
  @Override
  public void close() {
    for (Region region : regions) {
      OffHeap.free(region.root);
    }
    regions = new Region[0];
    bytes = 0;
    try {
      source.close();
    } catch (IOException e) {
      LOG.warn("The file of the block cache was not closed", e);
    }
  }

  /** Says every tenth of a large reservation that it goes on. */
  private static final class Progress {
    private final long total;
    private long reported;

    Progress(long total) {
      this.total = total;
    }

    void reserved(long bytes) {
      if (total > MAX_REGION_BYTES && (bytes - reported >= total / 10 || bytes == total)) {
        LOG.info("Reserved {} of {} bytes for the block cache", bytes, total);
        reported = bytes;
      }
    }
  }
}
