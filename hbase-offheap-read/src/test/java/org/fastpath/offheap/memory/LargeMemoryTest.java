package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests locations up to 64 TiB without the memory. A location is the number of a region times 1 GiB
 * plus an offset, for regions of any size. So 65,536 regions of a page suffice. Regions of 1 GiB
 * are parts of a sparse file.
 */
class LargeMemoryTest {
  private static final int PAGE = CacheMemory.PAGE;
  private static final int REGIONS = 1 << 16;
  private static final int GIB = CacheMemory.MAX_REGION_BYTES;
  private static final long TIB_64 = 1L << 46;

  @TempDir private Path directory;

  /** Slices of one sparse file, as long as is asked for. */
  private final class Sparse implements CacheMemory.Source {
    private final int mapBytes;
    private MappedByteBuffer map;
    private int used;

    Sparse(int mapBytes) {
      this.mapBytes = mapBytes;
      used = mapBytes;
    }

    @Override
    public long limit() {
      return Long.MAX_VALUE;
    }

    @Override
    public CacheMemory.Region open(int bytes) throws IOException {
      if (used + (long) bytes > mapBytes) {
        map = map();
        used = 0;
      }
      CacheMemory.Region region = CacheMemory.Region.of(map, map.slice(used, bytes));
      used += bytes;
      return region;
    }

    private MappedByteBuffer map() throws IOException {
      try (FileChannel file =
          FileChannel.open(
              directory.resolve("sparse"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        return file.map(FileChannel.MapMode.READ_WRITE, file.size(), mapBytes);
      }
    }

    @Override
    public void release(CacheMemory.Region region) {}

    @Override
    public String refusal(long bytes) {
      return "refused: " + bytes;
    }

    @Override
    public void close() {}
  }

  @Test
  void blocksLieInAllOf64TiB() {
    CacheMemory memory = new CacheMemory(new Sparse(REGIONS * PAGE), PAGE);
    memory.addRegions((long) REGIONS * PAGE);
    ExtentAllocator allocator = new ExtentAllocator(memory);
    int whole = PAGE - ExtentDescriptor.HEADER;
    List<Long> locations = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      locations.add(allocator.allocate(whole));
    }
    assertThat(allocator.allocate(1)).isEqualTo(ExtentAllocator.NONE);
    assertThat(locations).doesNotHaveDuplicates().doesNotContain(ExtentAllocator.NONE);
    long highest = locations.stream().mapToLong(location -> location).max().orElseThrow();
    assertThat(highest).isEqualTo(TIB_64 - GIB);
    memory.putLong(highest + whole - Long.BYTES, 4711);
    assertThat(memory.getLong(highest + whole - Long.BYTES)).isEqualTo(4711);
    allocator.validate();

    locations.remove(highest);
    // Blocks are in parts only while more than the reserve is free.
    locations.stream()
        .limit((long) (REGIONS * 2 * ExtentAllocator.RESERVE))
        .forEach(allocator::free);
    allocator.free(highest);
    long inParts = allocator.allocate(whole + 1000);
    assertThat(allocator.parts(inParts)).isEqualTo(2);
    allocator.validate();
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.sweep(2)).isFalse();
    assertThat(allocator.inRetiredRegion(inParts)).isTrue();
    allocator.free(inParts);
    assertThat(allocator.removeLastRegion()).isTrue();
    assertThat(allocator.capacity()).isEqualTo((REGIONS - 1L) * PAGE);
    allocator.validate();
  }

  @Test
  void aRegionIsOneBlock() {
    CacheMemory memory = new CacheMemory(new Sparse(GIB), GIB);
    memory.addRegions(3L * GIB);
    ExtentAllocator allocator = new ExtentAllocator(memory);
    int whole = GIB - ExtentDescriptor.HEADER;
    long first = allocator.allocate(whole);
    long inParts = allocator.allocate(Integer.MAX_VALUE - 100);
    assertThat(allocator.parts(first)).isOne();
    assertThat(allocator.parts(inParts)).isEqualTo(2);
    assertThat(allocator.freeBytes()).isLessThan(200);
    allocator.validate();
    allocator.free(first);
    allocator.free(inParts);
    allocator.validate();
    assertThat(allocator.freeBytes()).isEqualTo(3L * GIB);
  }
}
