package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedRegionsTest {
  private static final int MIB = 1 << 20;

  @TempDir private Path directory;

  /** An earlier process may have left blocks in it. */
  @Test
  void aRegionThatIsGivenBackLeavesAnInheritedFileAsLongAsItWas() throws IOException {
    Path file = Files.write(directory.resolve("cache"), new byte[3 * MIB]);
    MappedRegions regions = MappedRegions.of(file, 0);
    regions.open(MIB);
    CacheMemory.Region second = regions.open(MIB);
    regions.release(second);
    assertThat(Files.size(file)).isEqualTo(3 * MIB);
    regions.close();
  }

  @Test
  void aRegionThatIsGivenBackTakesItsOwnBytesAlong() throws IOException {
    Path file = Files.write(directory.resolve("cache"), new byte[MIB]);
    MappedRegions regions = MappedRegions.of(file, 0);
    regions.open(MIB);
    CacheMemory.Region second = regions.open(MIB);
    assertThat(Files.size(file)).isEqualTo(2 * MIB);
    regions.release(second);
    assertThat(Files.size(file)).isEqualTo(MIB);
    regions.close();
  }
}
