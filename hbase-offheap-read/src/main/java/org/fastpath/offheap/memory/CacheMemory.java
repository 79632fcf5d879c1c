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
 * The memory that cached blocks lie in: regions of at most 1 GiB, because the length of a buffer is
 * an int, of direct memory or of a mapped file. Each region begins at a cache line. Every page of
 * it is reserved from the start: a lack of memory is known then, and no block pays for a page fault
 * later.
 *
 * <p>A place in it is a location: the number of the region, times 1 GiB, plus the offset in bytes.
 * 64 TiB are 65,536 regions.
 *
 * <p>More memory comes in two steps. {@link #prepare} reserves it, which takes a third of a second
 * a gigabyte and changes nothing that a reader sees. {@link #publish} adds the regions, which
 * either happens whole or throws before the first change.
 *
 * <p>Reading is safe from any thread. One thread at a time prepares, adds or removes regions. When
 * a region leaves a running cache, the garbage collection frees it as soon as no view or buffer of
 * it is left.
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

  /** Where regions come from. */
  public interface Source extends AutoCloseable {
    /** The most bytes that there can be. */
    long limit();

    /** A region of this size, every page of it reserved. */
    Region open(int bytes) throws IOException;

    /** Gives the region that was opened last back. */
    void release(Region region) throws IOException;

    /** The message for this many bytes that cannot be had. */
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
   * Follows a reservation.
   *
   * @param <E> what stops it
   */
  @FunctionalInterface
  public interface Progress<E extends Exception> {
    /** So many bytes are reserved by now; an exception gives them back. */
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

    /** Bytes of these regions. */
    public long bytes() {
      return preparedBytes;
    }

    int regions() {
      return prepared.size();
    }

    /** Gives regions that were not published back at once. */
    @Override
    public void close() {
      for (int i = prepared.size() - 1; i >= 0 && !published; i--) {
        release(prepared.remove(i));
      }
    }
  }

  /** Over a source of its own; for tests and for the methods below. */
  public CacheMemory(Source source, int regionBytes) {
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
  public static CacheMemory direct(long bytes) {
    return direct(bytes, MAX_REGION_BYTES);
  }

  /** The same in smaller regions. */
  public static CacheMemory direct(long bytes, int regionBytes) {
    return new CacheMemory(new DirectRegions(), regionBytes).fill(bytes);
  }

  /**
   * A file, mapped, which is made as long as needed. What a file of that length holds stays.
   *
   * @param dataOffset where in the file the first region begins, a multiple of {@link #PAGE}
   * @throws CacheConfigurationException if there is not enough space, or it cannot be mapped
   */
  public static CacheMemory mapped(Path file, long dataOffset, long bytes) {
    return mapped(file, dataOffset, bytes, MAX_REGION_BYTES);
  }

  /** The same in smaller regions. */
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

  /** How many regions there are. */
  public int regions() {
    return regions.length;
  }

  /** A region's bytes. Its position and limit are nobody's to change. */
  public ByteBuffer region(int region) {
    return regions[region].buffer;
  }

  /** A region's bytes, to be read and written by offset. */
  public Memory memory(int region) {
    return regions[region].memory;
  }

  /** Bytes of all regions. */
  public long bytes() {
    return bytes;
  }

  /** The location of a place in a region. */
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

  /** A buffer over a part of a region, in big-endian byte order. */
  public ByteBuffer slice(long location, int length) {
    return region(regionOf(location)).slice(offsetOf(location), length);
  }

  // Another size.

  /**
   * Reserves memory: all of it, or none.
   *
   * @throws CacheConfigurationException if it cannot be had
   * @throws E as the progress does
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

  /** Adds regions; they are part of the memory from now on. */
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
   * Adds memory: all that is asked for, or nothing.
   *
   * @throws CacheConfigurationException if it cannot be had
   */
  public void addRegions(long more) {
    try (Prepared prepared = prepare(more, new LoggedProgress(more))) {
      publish(prepared);
    }
  }

  /** Parts with the last region, whose memory is freed when nothing refers to it. */
  public void removeLastRegion() {
    Region last = regions[regions.length - 1];
    regions = Arrays.copyOf(regions, regions.length - 1);
    bytes = bytes - last.buffer.capacity();
  }

  /** Gives a region that no reader has seen back at once. */
  private void release(Region region) {
    try {
      region.memory.close();
      source.release(region);
    } catch (IOException e) {
      LOG.warn("The file of the block cache keeps its length", e);
    }
  }

  /** Gives everything back at once: for a cache that was not used. A file keeps its contents. */
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
      LOG.warn("The file of the block cache was not closed", e);
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
