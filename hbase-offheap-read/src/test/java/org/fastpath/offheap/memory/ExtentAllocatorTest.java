package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtentAllocatorTest {
  private static final int REGION = 1 << 20;
  private static final int HEADER = ExtentDescriptor.HEADER;

  /** All that a region gives one block. */
  private static final int WHOLE = REGION - HEADER;

  private final Blocks blocks = new Blocks();
  private long directBefore;
  private CacheMemory memory;
  private ExtentAllocator allocator;

  @BeforeEach
  void open() {
    directBefore = DirectMemory.used();
    regions(4);
  }

  private void regions(int count) {
    memory = CacheMemory.direct((long) count * REGION, REGION);
    allocator = new ExtentAllocator(memory, true);
  }

  @AfterEach
  void close() {
    allocator.validate();
    memory.close();
    assertThat(GivenBack.directMemoryBelow(directBefore + REGION)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void randomOperationsKeepEveryBlocksBytes(int run) {
    long seed = Long.getLong("seed", 0x9E3779B97F4A7C15L * run);
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 30_000; i++) {
      if (random.nextInt(100) < 55) {
        int length = length(random);
        boolean apart = length > 1 && random.nextBoolean();
        blocks.allocate(length, apart ? 1 + random.nextInt(length - 1) : length);
      } else if (!blocks.isEmpty()) {
        blocks.free(random.nextInt(blocks.size()));
      }
      if (random.nextInt(2_000) == 0) {
        resize(random);
      }
      if (random.nextInt(100) == 0) {
        allocator.sweep(1 + random.nextInt(20));
      }
      if (i % 500 == 0) {
        allocator.validate();
        assertThat(allocator.payloadBytes()).isEqualTo(blocks.bytes);
      }
    }
    blocks.freeAll();
    assertThat(allocator.payloadBytes()).isZero();
    assertThat(allocator.overheadBytes()).isZero();
    sweepAll();
    assertThat(allocator.freeBytes()).isEqualTo(allocator.capacity());
  }

  /** Blocks of two tables, whose indexes differ in size. */
  @Test
  void aBlockIsNotSplitIfOnlyItsEndDoesNotFitIntoTheHoles() {
    int block = 65_700;
    while (blocks.allocate(block + 600, block) != ExtentAllocator.NONE) {
      // Fills the memory.
    }
    for (int i = blocks.size() - 1; i >= 0; i -= 2) {
      blocks.free(i);
    }
    int holes = blocks.size();
    int together = 0;
    int apart = 0;
    long location = blocks.allocate(block + 1_600, block);
    while (location != ExtentAllocator.NONE && allocator.partLength(location) >= block) {
      together++;
      apart += allocator.partLength(location) == block ? 1 : 0;
      location = blocks.allocate(block + 1_600, block);
    }
    // A hole in each region may become room for the ends.
    assertThat(together).isGreaterThanOrEqualTo(holes - 4);
    assertThat(apart).isGreaterThanOrEqualTo(holes - 8);
  }

  private static int length(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> 1 + random.nextInt(100);
      case 1, 2 -> 1024 + random.nextInt(3072);
      case 3 -> 200_000 + random.nextInt(1 << 20);
      default -> 65536 + random.nextInt(12_000);
    };
  }

  private void resize(SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        if (allocator.activeRegions() == memory.regions() && memory.regions() < 8) {
          grow(allocator, REGION);
        }
      }
      case 1 -> allocator.retireLastRegion();
      case 2 -> allocator.reactivateRegion();
      default -> allocator.removeLastRegion();
    }
  }

  @Test
  void memoryThatIsFreeIsOneExtentARegion() {
    assertThat(allocator.largestFree()).isEqualTo(REGION);
    assertThat(allocator.freeBytes()).isEqualTo(4L * REGION).isEqualTo(allocator.capacity());
    long first = blocks.allocate(100);
    long second = blocks.allocate(70_000);
    long third = blocks.allocate(100);
    allocator.validate();
    allocator.free(second);
    allocator.validate();
    allocator.free(first);
    allocator.validate();
    allocator.free(third);
    assertThat(allocator.freeBytes()).isEqualTo(4L * REGION);
    assertThat(allocator.largestFree()).isEqualTo(REGION);
  }

  @Test
  void theHoleThatFitsBestIsTaken() {
    long large = allocator.allocate(50_000);
    allocator.allocate(100);
    long small = allocator.allocate(30_000);
    allocator.allocate(100);
    allocator.free(large);
    allocator.free(small);
    assertThat(allocator.allocate(29_990)).isEqualTo(small);
    assertThat(allocator.allocate(49_990)).isEqualTo(large);
  }

  @Test
  void aBlockLargerThanARegionIsInParts() {
    long location = blocks.allocate(3 * REGION);
    assertThat(allocator.parts(location)).isEqualTo(4);
    blocks.freeAll();
    assertThat(allocator.largestFree()).isEqualTo(REGION);
  }

  @Test
  void holesThatAreTooSmallAreFilledByABlockInParts() {
    fillWith(20_000);
    freeEveryOther();
    allocator.validate();
    long location = blocks.allocate(70_000);
    assertThat(allocator.parts(location)).isEqualTo(4);
    blocks.freeAll();
  }

  @Test
  void aBlockIsNotSplitWhileTheReserveIsNotFree() {
    fillWith(20_000);
    blocks.free(7);
    blocks.free(9);
    assertThat(allocator.freeBytes()).isBetween(40_000L, reserve());
    assertThat(allocator.allocate(30_000)).isEqualTo(ExtentAllocator.NONE);
    blocks.free(11);
    blocks.free(13);
    assertThat(allocator.freeBytes()).isGreaterThan(reserve());
    assertThat(allocator.parts(blocks.allocate(30_000))).isEqualTo(2);
  }

  private long reserve() {
    return (long) (allocator.capacity() * ExtentAllocator.RESERVE);
  }

  @Test
  void crumbsAreNotPartsOfBlocks() {
    fillWith(2_000);
    freeEveryOther();
    assertThat(allocator.freeBytes()).isGreaterThan(allocator.capacity() / 3);
    assertThat(allocator.allocate(10_000)).isEqualTo(ExtentAllocator.NONE);
    blocks.allocate(2_000);
  }

  @Test
  void aBlockHasABoundedNumberOfParts() {
    fillWith(5_000);
    freeEveryOther();
    long most = 8 * 5_000;
    assertThat(allocator.parts(blocks.allocate((int) most - 200))).isEqualTo(8);
    assertThat(allocator.allocate((int) most + 300)).isEqualTo(ExtentAllocator.NONE);
  }

  private void freeEveryOther() {
    for (int i = blocks.size() - 2; i >= 0; i -= 2) {
      blocks.free(i);
    }
  }

  /** Fills the memory with blocks of one length. */
  private void fillWith(int length) {
    while (allocator.largestFree() >= length + HEADER + length / 100) {
      blocks.allocate(length);
    }
    long rest = allocator.largestFree();
    while (rest >= ExtentDescriptor.GRANULE) {
      allocator.allocate((int) rest - HEADER);
      rest = allocator.largestFree();
    }
    assertThat(allocator.freeBytes()).isZero();
  }

  @Test
  void fullMemoryRefusesAndReportsWhatIsNotUsed() {
    assertThat(allocator.fragmentation()).isZero();
    for (int i = 0; i < 4; i++) {
      blocks.allocate(WHOLE);
    }
    assertThat(allocator.allocate(1)).isEqualTo(ExtentAllocator.NONE);
    assertThat(allocator.freeBytes()).isZero();
    assertThat(allocator.largestFree()).isZero();
    assertThat(allocator.overheadBytes()).isEqualTo(4 * HEADER);
    assertThat(allocator.fragmentation()).isBetween(7e-6, 8e-6);
  }

  @Test
  void fitsWhatAnEmptyMemoryHolds() {
    int most = 4 * (REGION - ExtentDescriptor.LINKED_HEADER);
    assertThat(allocator.fits(most)).isTrue();
    assertThat(blocks.allocate(most)).isNotEqualTo(ExtentAllocator.NONE);
    assertThat(allocator.fits(most + 100)).isFalse();
    assertThat(allocator.fits(0)).isFalse();
    assertThat(allocator.fits(Integer.MAX_VALUE)).isFalse();
    assertThat(allocator.allocate(Integer.MAX_VALUE)).isEqualTo(ExtentAllocator.NONE);
  }

  @Test
  void aSliceIsThePayloadInBigEndianOrder() {
    long location = blocks.allocate(100);
    ByteBuffer slice = allocator.slice(location);
    assertThat(slice.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(slice.position()).isZero();
    assertThat(slice.capacity()).isEqualTo(100);
    slice.put(0, (byte) 7);
    assertThat(allocator.view(location).getByte(0)).isEqualTo((byte) 7);
  }

  @Test
  void whatIsFreedIsPoisoned() {
    long location = allocator.allocate(1_000);
    ByteBuffer slice = allocator.slice(location);
    slice.put(0, new byte[1_000]);
    allocator.free(location);
    for (int i = 16; i < 1_000; i++) {
      assertThat(slice.get(i)).isEqualTo(ExtentAllocator.POISON);
    }
  }

  @Test
  void freeingTwiceIsNoticed() {
    long location = allocator.allocate(100);
    allocator.allocate(100);
    allocator.free(location);
    assertThatThrownBy(() -> allocator.free(location)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPartIsNotABlock() {
    long location = blocks.allocate(2 * REGION);
    long part = allocator.nextPart(location);
    assertThatThrownBy(() -> allocator.free(part)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theNeighboursComingAndGoingDoesNotChangeWhatReadersRead() {
    long below = allocator.allocate(1_000);
    long location = allocator.allocate(1_000);
    long above = allocator.allocate(1_000);
    int word = memory.getInt(location + 4);
    allocator.free(below);
    allocator.free(above);
    assertThat(memory.getInt(location + 4)).isEqualTo(word);
    assertThat(allocator.partLength(location)).isEqualTo(1_000);
    assertThat(allocator.nextPart(location)).isEqualTo(ExtentAllocator.NONE);
  }

  @Test
  void placingABlockMakesNoObject() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    fillWith(20_000);
    freeEveryOther();
    churn(10_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    churn(10_000);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }

  private void churn(int times) {
    for (int i = 0; i < times; i++) {
      allocator.free(allocator.allocate(100 + i * 7));
    }
  }

  @Test
  void aRetiredRegionTakesNoBlocksAndIsRemovedOnceEmpty() {
    List<Long> locations = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      locations.add(blocks.allocate(WHOLE - 50_000));
    }
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.capacity()).isEqualTo(3L * REGION);
    sweepAll();
    List<Long> retired = locations.stream().filter(allocator::inRetiredRegion).toList();
    assertThat(retired).hasSize(1);
    assertThat(allocator.isEmpty(3)).isFalse();
    assertThat(allocator.removeLastRegion()).isFalse();
    allocator.validate();

    allocator.free(retired.get(0));
    assertThat(allocator.isEmpty(3)).isTrue();
    allocator.validate();
    assertThat(allocator.allocate(WHOLE)).isEqualTo(ExtentAllocator.NONE);
    assertThat(allocator.removeLastRegion()).isTrue();
    assertThat(memory.regions()).isEqualTo(3);
    assertThat(memory.bytes()).isEqualTo(3L * REGION);
    assertThat(allocator.removeLastRegion()).isFalse();
  }

  private void sweepAll() {
    while (allocator.sweep(7)) {
      allocator.validate();
    }
  }

  /** A region of a million extents is retired and reinstated by one step as one of ten. */
  @Test
  void retiringAndReinstatingLookAtNoExtent() {
    fillWith(1000);
    freeEveryOther();
    long free = allocator.freeBytes();
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.freeBytes()).isEqualTo(free);
    int steps = 0;
    for (boolean more = true; more; steps++) {
      long before = allocator.freeBytes();
      more = allocator.sweep(10);
      assertThat(before - allocator.freeBytes()).isLessThan(10 * 2100);
      allocator.validate();
    }
    assertThat(steps).isGreaterThan(REGION / 1100 / 10);
    long afterRetiring = allocator.freeBytes();
    assertThat(afterRetiring).isLessThan(free);
    assertThat(allocator.reactivateRegion()).isTrue();
    assertThat(allocator.freeBytes()).isEqualTo(afterRetiring);
    sweepAll();
    assertThat(allocator.freeBytes()).isEqualTo(free);
  }

  /** The sweep goes on behind extents that were merged while it was there. */
  @Test
  void blocksMayBeFreedWhileARegionIsSwept() {
    while (blocks.allocate(1000) != ExtentAllocator.NONE) {
      assertThat(blocks.bytes).isLessThan(4L * REGION);
    }
    List<Long> locations = List.copyOf(blocks.locations);
    assertThat(allocator.retireLastRegion()).isTrue();
    allocator.sweep(50);
    for (long location : locations) {
      if (allocator.inRetiredRegion(location)) {
        blocks.free(blocks.locations.indexOf(location));
        allocator.sweep(1);
        allocator.validate();
      }
    }
    sweepAll();
    assertThat(allocator.isEmpty(3)).isTrue();
    assertThat(allocator.removeLastRegion()).isTrue();
  }

  @Test
  void theLastRegionIsNotRetired() {
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.retireLastRegion()).isTrue();
    assertThat(allocator.retireLastRegion()).isFalse();
    assertThatThrownBy(() -> grow(allocator, REGION)).isInstanceOf(IllegalStateException.class);
    while (allocator.reactivateRegion()) {
      sweepAll();
      allocator.validate();
    }
    assertThat(allocator.capacity()).isEqualTo(4L * REGION);
    assertThat(allocator.freeBytes()).isEqualTo(4L * REGION);
  }

  @Test
  void regionsAreAdded() {
    for (int i = 0; i < 4; i++) {
      blocks.allocate(WHOLE);
    }
    grow(allocator, REGION + 8192);
    assertThat(memory.regions()).isEqualTo(6);
    assertThat(allocator.capacity()).isEqualTo(5L * REGION + 8192);
    assertThat(CacheMemory.regionOf(blocks.allocate(WHOLE))).isEqualTo(4);
    assertThat(CacheMemory.regionOf(blocks.allocate(8_000))).isEqualTo(5);
  }

  /** The model: the allocated blocks, each with unique bytes. */
  private final class Blocks {
    private final List<Long> locations = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private final List<Byte> patterns = new ArrayList<>();
    private long bytes;
    private byte pattern;

    int size() {
      return locations.size();
    }

    boolean isEmpty() {
      return locations.isEmpty();
    }

    long allocate(int length) {
      return allocate(length, length);
    }

    long allocate(int length, int beginning) {
      long location = allocator.allocate(length, beginning);
      if (location != ExtentAllocator.NONE) {
        locations.add(location);
        lengths.add(length);
        patterns.add(++pattern);
        bytes += length;
        fill(location, length, pattern);
      }
      return location;
    }

    private void fill(long location, int length, byte with) {
      int left = length;
      for (long part = location; part != ExtentAllocator.NONE; part = allocator.nextPart(part)) {
        memory.fill(allocator.payload(part), allocator.partLength(part), with);
        left -= allocator.partLength(part);
      }
      assertThat(left).isZero();
    }

    void free(int index) {
      long location = remove(locations, index);
      int length = remove(lengths, index);
      byte with = remove(patterns, index);
      ByteBuffer expected = ByteBuffer.allocate(length);
      Arrays.fill(expected.array(), with);
      for (long part = location; part != ExtentAllocator.NONE; part = allocator.nextPart(part)) {
        ByteBuffer slice = allocator.slice(part);
        ByteBuffer same = expected.slice(0, slice.remaining());
        assertThat(slice.mismatch(same)).as("bytes of block at %d", location).isEqualTo(-1);
      }
      bytes -= length;
      allocator.free(location);
    }

    /** The last takes its place. */
    private <T> T remove(List<T> list, int index) {
      T last = list.remove(list.size() - 1);
      return index == list.size() ? last : list.set(index, last);
    }

    void freeAll() {
      while (!isEmpty()) {
        free(size() - 1);
      }
    }
  }

  private static void grow(ExtentAllocator allocator, long bytes) {
    try (CacheMemory.Prepared more = allocator.memory().prepare(bytes, reserved -> {})) {
      allocator.addRegions(more);
    }
  }
}
