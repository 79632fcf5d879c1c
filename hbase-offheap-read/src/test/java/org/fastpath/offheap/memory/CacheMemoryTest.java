package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheMemoryTest {
  private static final int PAGE = CacheMemory.PAGE;
  private static final int MIB = 1 << 20;

  @TempDir Path directory;

  @Test
  void directMemoryIsInAlignedRegionsOfZeros() {
    long before = DirectMemory.used();
    try (CacheMemory memory = CacheMemory.direct(2 * MIB + 3 * PAGE + 17, MIB)) {
      assertThat(memory.regions()).isEqualTo(3);
      assertThat(memory.bytes()).isEqualTo(2 * MIB + 3 * PAGE);
      assertThat(memory.region(2).capacity()).isEqualTo(3 * PAGE);
      for (int i = 0; i < 3; i++) {
        assertThat(memory.memory(i).isAligned(64)).isTrue();
        assertThat(memory.memory(i).getLong(0)).isZero();
      }
      assertThat(DirectMemory.used()).isGreaterThanOrEqualTo(before + memory.bytes());
    }
    assertThat(DirectMemory.used()).isLessThan(before + MIB);
  }

  @Test
  void aLocationIsARegionAndAnOffset() {
    try (CacheMemory memory = CacheMemory.direct(3 * MIB, MIB)) {
      long location = CacheMemory.location(2, 12_345);
      assertThat(CacheMemory.regionOf(location)).isEqualTo(2);
      assertThat(CacheMemory.offsetOf(location)).isEqualTo(12_345);
      memory.putInt(location, 4711);
      assertThat(memory.memory(2).getInt(12_345)).isEqualTo(4711);
    }
    long last = CacheMemory.location(5_000, CacheMemory.MAX_REGION_BYTES - 32);
    assertThat(CacheMemory.regionOf(last)).isEqualTo(5_000);
    assertThat(CacheMemory.offsetOf(last)).isEqualTo(CacheMemory.MAX_REGION_BYTES - 32);
  }

  @Test
  void regionsComeAndGo() {
    long before = DirectMemory.used();
    try (CacheMemory memory = CacheMemory.direct(2 * MIB, MIB)) {
      memory.addRegions(MIB + PAGE);
      assertThat(memory.regions()).isEqualTo(4);
      assertThat(memory.bytes()).isEqualTo(3 * MIB + PAGE);
      memory.removeLastRegion();
      memory.removeLastRegion();
      memory.removeLastRegion();
      assertThat(memory.bytes()).isEqualTo(MIB);
      assertThat(GivenBack.directMemoryBelow(before + 2 * MIB)).isTrue();
    }
  }

  @Test
  void aBufferOutlivesItsRegion() {
    try (CacheMemory memory = CacheMemory.direct(2 * MIB, MIB)) {
      ByteBuffer late = memory.region(1).slice(0, 8).putLong(0, 4711);
      memory.removeLastRegion();
      System.gc();
      assertThat(late.getLong(0)).isEqualTo(4711);
    }
  }

  @Test
  void noMemoryIsAnError() {
    for (long bytes : new long[] {-1, 0, PAGE - 1}) {
      assertThatThrownBy(() -> CacheMemory.direct(bytes))
          .isInstanceOf(CacheConfigurationException.class)
          .hasMessageContaining("hbase.fastpath.offheap-cache.size is " + bytes + " bytes");
    }
  }

  @Test
  void moreThanTheJvmAllowsIsOneClearError() throws Exception {
    ForkedJvm.Result result =
        jvm("-XX:MaxDirectMemorySize=64m").run(log(), Refused.class.getName(), "10", "100");
    assertThat(result.lines("refused: "))
        .containsExactly(
            "refused: hbase.fastpath.offheap-cache.size asks for 104857600 bytes off the heap,"
                + " which this JVM does not allow: -XX:MaxDirectMemorySize is 67108864 bytes, of"
                + " which 10485760 are in use. Set HBASE_OFFHEAPSIZE in hbase-env.sh to more than the sum"
                + " of both (RPC buffers need some too), or make the cache smaller.");
    assertThat(result.lines("afterwards: ")).containsExactly("afterwards: 10485760");
  }

  @Test
  void whatOthersUseCounts() throws Exception {
    ForkedJvm.Result result =
        jvm("-XX:MaxDirectMemorySize=64m").run(log(), Refused.class.getName(), "30", "50");
    assertThat(result.lines("refused: "))
        .singleElement()
        .asString()
        .contains("is 67108864 bytes, of which 31457280 are in use");
    assertThat(result.lines("afterwards: ")).containsExactly("afterwards: 31457280");
  }

  @Test
  void withoutALimitItIsTheHeap() throws Exception {
    ForkedJvm.Result result = jvm("-Xmx32m").run(log(), Refused.class.getName(), "10", "100");
    assertThat(result.lines("refused: "))
        .singleElement()
        .asString()
        .contains("-XX:MaxDirectMemorySize is not set, so that it is the maximum heap,");
  }

  private static ForkedJvm jvm(String flag) {
    return ForkedJvm.ours().flag(flag);
  }

  private Path log() {
    return directory.resolve("jvm.log");
  }

  /** Takes some MiB as others do, asks for more than is left, in a JVM of its own. */
  static final class Refused {
    private Refused() {}

    public static void main(String[] args) {
      ByteBuffer others = ByteBuffer.allocateDirect(Integer.parseInt(args[0]) * MIB);
      try (CacheMemory memory = CacheMemory.direct(Long.parseLong(args[1]) * MIB, 16 * MIB)) {
        System.out.println("bytes: " + memory.bytes());
      } catch (CacheConfigurationException e) {
        System.out.println("refused: " + e.getMessage());
      }
      System.out.println("afterwards: " + DirectMemory.used());
      Reference.reachabilityFence(others);
    }
  }

  @Test
  void aFileKeepsWhatWasWritten() throws IOException {
    Path file = directory.resolve("cache");
    try (CacheMemory memory = mapped(file, 3 * MIB)) {
      assertThat(Files.size(file)).isEqualTo(PAGE + 3 * MIB);
      for (int i = 0; i < 3; i++) {
        memory.memory(i).fill(0, MIB, (byte) (i + 1));
      }
    }
    try (CacheMemory memory = mapped(file, 3 * MIB)) {
      for (int i = 0; i < 3; i++) {
        assertThat(memory.region(i).get(0)).isEqualTo((byte) (i + 1));
        assertThat(memory.region(i).get(MIB - 1)).isEqualTo((byte) (i + 1));
      }
    }
    assertThat(Files.readAllBytes(file)).startsWith(new byte[PAGE]).endsWith(3, 3, 3);
  }

  @Test
  void aFileGrows() throws IOException {
    Path file = directory.resolve("cache");
    try (CacheMemory memory = mapped(file, 2 * MIB)) {
      memory.memory(1).fill(0, MIB, (byte) 7);
      memory.addRegions(MIB);
      assertThat(Files.size(file)).isEqualTo(PAGE + 3 * MIB);
      assertThat(memory.region(2).get(MIB - 1)).isZero();
    }
    try (CacheMemory memory = mapped(file, 3 * MIB)) {
      assertThat(memory.region(1).get(0)).isEqualTo((byte) 7);
      assertThat(memory.region(2).get(0)).isZero();
    }
  }

  @Test
  void aDeviceThatIsFullIsOneClearError() {
    assertThatThrownBy(() -> mapped(Path.of("/dev/full"), 2 * MIB))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("/dev/full")
        .hasMessageContaining(2 * MIB + " bytes");
  }

  @Test
  void aFileThatCannotBeOpenedIsOneClearError() {
    Path file = directory.resolve("no/such/directory/cache");
    assertThatThrownBy(() -> mapped(file, MIB))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining(file.toString());
  }

  private static CacheMemory mapped(Path file, long bytes) {
    return CacheMemory.mapped(file, PAGE, bytes, MIB);
  }
}
