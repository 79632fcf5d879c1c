package org.fastpath.offheap.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of cached blocks: regions of direct memory or of a mapped file. A region has at most 1
 * GiB, because the length of a buffer is an int. Each region begins at a cache line. Every page is
 * reserved at the start, so a lack of memory is known then, and no block causes a page fault later.
 *
 * <p>A location is the number of the region times 1 GiB plus the offset in bytes. 64 TiB are 65,536
 * regions.
 *
 * <p>More memory comes in two steps. {@link #prepare} reserves it, which takes a third of a second
 * per gigabyte and is invisible to readers. {@link #publish} adds the regions, or throws before the
 * first change.
 *
 * <p>Reading is thread-safe. Only one thread at a time prepares, adds or removes regions. The
 * garbage collector frees a removed region as soon as no view or buffer of it is left.
 */
public final class CacheMemory implements AutoCloseable {
  public static final String SIZE_KEY = "hbase.fastpath.offheap-cache.size";

  public static final int REGION_SHIFT = 30;
  public static final int MAX_REGION_BYTES = 1 << REGION_SHIFT;

  /** Sizes are rounded down to it. */
  public static final int PAGE = 4096;

  private static final Logger LOG = LoggerFactory.getLogger(CacheMemory.class);

  private final Source source;
  private final int regionBytes;
  private volatile Region[] regions = {};
  private volatile long bytes;

  /** A source of regions. */
  public interface Source extends AutoCloseable {
    /** Returns the maximum number of bytes. */
    long limit();

    /** Opens a region of this size and reserves every page of it. */
    Region open(int bytes) throws IOException;

    /** Releases the region that was opened last. */
    void release(Region region) throws IOException;

    /** Returns the message for so many bytes that are not available. */
    String refusal(long bytes);

    @Override
    void close() throws IOException;
  }

  /**
   * A region.
   *
   * @param root the buffer to free
   * @param buffer the region's bytes
   * @param memory the same bytes
   */
  public record Region(ByteBuffer root, ByteBuffer buffer, Memory memory) {
    public static Region of(ByteBuffer root, ByteBuffer buffer) {
      return new Region(root, buffer, Memory.of(buffer));
    }
  }

  /**
   * Observes a reservation.
   *
   * @param <E> exception that stops it
   */
  @FunctionalInterface
  public interface Progress<E extends Exception> {
    /** Reports the reserved bytes so far. An exception releases them. */
    void reserved(long bytes) throws E;
  }

  /** Regions that are reserved and not yet part of the memory. */
  public final class Prepared implements AutoCloseable {
    private final List<Region> prepared = new ArrayList<>();
    private long preparedBytes;
    private boolean published;

    private Prepared() {}

    private void add(Region region) {
      prepared.add(region);
      preparedBytes += region.buffer.capacity();
    }

    /** Returns the bytes of these regions. */
    public long bytes() {
      return preparedBytes;
    }

    int regions() {
      return prepared.size();
    }

    /** Releases unpublished regions at once. */
    @Override
    public void close() {
      for (int i = prepared.size() - 1; i >= 0 && !published; i--) {
        release(prepared.remove(i));
      }
    }
  }

  /** Makes memory over a source; for tests and for the methods below. */
  public CacheMemory(Source source, int regionBytes) {
    if (regionBytes <= 0 || regionBytes > MAX_REGION_BYTES || regionBytes % PAGE != 0) {
      throw new IllegalArgumentException("bytes of a region: " + regionBytes);
    }
    this.source = source;
    this.regionBytes = regionBytes;
  }

  /**
   * Makes direct memory.
   *
   * @throws CacheConfigurationException if the JVM does not allow so much
   */
  public static CacheMemory direct(long bytes) {
    return direct(bytes, MAX_REGION_BYTES);
  }

  /** Makes the same in smaller regions. */
  public static CacheMemory direct(long bytes, int regionBytes) {
    return new CacheMemory(new DirectRegions(), regionBytes).fill(bytes);
  }

  /**
   * Maps a file, which is extended if necessary. The content of a file of that length stays.
   *
   * @param dataOffset begin of the first region in the file, a multiple of {@link #PAGE}
   * @throws CacheConfigurationException if there is not enough space, or it cannot be mapped
   */
  public static CacheMemory mapped(Path file, long dataOffset, long bytes) {
    return mapped(file, dataOffset, bytes, MAX_REGION_BYTES);
  }

  /** Makes the same in smaller regions. */
  public static CacheMemory mapped(Path file, long dataOffset, long bytes, int regionBytes) {
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

  /** Returns the number of regions. */
  public int regions() {
    return regions.length;
  }

  /** Returns a region's bytes. Callers never change position and limit. */
  public ByteBuffer region(int region) {
    return regions[region].buffer;
  }

  /** Returns a region's bytes for access by offset. */
  public Memory memory(int region) {
    return regions[region].memory;
  }

  /** Returns the bytes of all regions. */
  public long bytes() {
    return bytes;
  }

  /** Returns the location of a place in a region. */
  public static long location(int region, int offset) {
    return ((long) region << REGION_SHIFT) + offset;
  }

  public static int regionOf(long location) {
    return (int) (location >>> REGION_SHIFT);
  }

  public static int offsetOf(long location) {
    return (int) location & MAX_REGION_BYTES - 1;
  }

  // Words by location.

  public int getInt(long location) {
    return memory(regionOf(location)).getInt(offsetOf(location));
  }

  public void putInt(long location, int value) {
    memory(regionOf(location)).putInt(offsetOf(location), value);
  }

  public long getLong(long location) {
    return memory(regionOf(location)).getLong(offsetOf(location));
  }

  public void putLong(long location, long value) {
    memory(regionOf(location)).putLong(offsetOf(location), value);
  }

  public void fill(long location, long length, byte value) {
    memory(regionOf(location)).fill(offsetOf(location), length, value);
  }

  /** Returns a buffer over a part of a region, in big-endian byte order. */
  public ByteBuffer slice(long location, int length) {
    return region(regionOf(location)).slice(offsetOf(location), length);
  }

  // Another size.

  /**
   * Reserves memory, all of it or none.
   *
   * @throws CacheConfigurationException if it is not available
   * @throws E from the progress
   */
  public <E extends Exception> Prepared prepare(long more, Progress<E> progress) throws E {
    long rounded = more - more % PAGE;
    if (rounded <= 0) {
      throw new CacheConfigurationException(
          SIZE_KEY + " is " + more + " bytes; at least " + PAGE + " are needed");
    }
    if (rounded > source.limit() - bytes) {
      throw new CacheConfigurationException(source.refusal(rounded));
    }
    Prepared prepared = new Prepared();
    boolean complete = false;
    try {
      for (long left = rounded; left > 0; left -= regionBytes) {
        prepared.add(source.open((int) Math.min(left, regionBytes)));
        progress.reserved(prepared.preparedBytes);
      }
      complete = true;
      return prepared;
    } catch (OutOfMemoryError | IOException e) {
      prepared.close();
      throw new CacheConfigurationException(source.refusal(rounded), e);
    } finally {
      if (!complete) {
        prepared.close();
      }
    }
  }

  /** Adds regions to the memory. */
  public void publish(Prepared more) {
    Region[] all = Arrays.copyOf(regions, regions.length + more.prepared.size());
    for (int i = 0; i < more.prepared.size(); i++) {
      all[regions.length + i] = more.prepared.get(i);
    }
    regions = all;
    bytes = bytes + more.preparedBytes;
    more.published = true;
  }

  /**
   * Adds all of the requested memory, or none.
   *
   * @throws CacheConfigurationException if it is not available
   */
  public void addRegions(long more) {
    try (Prepared prepared = prepare(more, new LoggedProgress(more))) {
      publish(prepared);
    }
  }

  /** Removes the last region, whose memory is freed when nothing refers to it. */
  public void removeLastRegion() {
    Region last = regions[regions.length - 1];
    regions = Arrays.copyOf(regions, regions.length - 1);
    bytes = bytes - last.buffer.capacity();
  }

  /** Releases a region at once that no reader has seen. */
  private void release(Region region) {
    try {
      region.memory.close();
      source.release(region);
    } catch (IOException e) {
      LOG.warn("The file of the block cache could not be truncated and keeps its length", e);
    }
  }

  /** Releases everything at once, for an unused cache. A file keeps its contents. */
  @Override
  public void close() {
    for (Region region : regions) {
      region.memory.close();
      Memory.free(region.root);
    }
    regions = new Region[0];
    bytes = 0;
    try {
      source.close();
    } catch (IOException e) {
      LOG.warn("The file of the block cache could not be closed", e);
    }
  }

  /** Logs every tenth of a large reservation. */
  public static final class LoggedProgress implements Progress<RuntimeException> {
    private final long total;
    private long reported;

    public LoggedProgress(long total) {
      this.total = total;
    }

    @Override
    public void reserved(long bytes) {
      if (total > MAX_REGION_BYTES && (bytes - reported >= total / 10 || bytes >= total)) {
        LOG.info("Reserved {} of {} bytes for the block cache", bytes, total);
        reported = bytes;
      }
    }
  }
}
