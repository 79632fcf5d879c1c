package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel says of devices, and what is made of it. */
class VolumeWatchTest {
  private static final String SDA = "   8       0 sda 100 0 2048 10 50 0 4096 20 0 300 30";
  private static final String DM = " 253      17 dm-17 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17";

  @Test
  void readsDevicesOfOldAndNewKernels() {
    Map<String, DeviceStatistics> devices = DeviceStatistics.parse(List.of(SDA, DM));
    assertThat(devices)
        .containsEntry("8:0", new DeviceStatistics(300, 150, 6144))
        .containsEntry("253:17", new DeviceStatistics(10, 6, 10));
    assertThat(devices.get("8:0").work()).isEqualTo(6144L * 512 + 150L * (128 << 10));
  }

  @Test
  void leavesOutWhatItDoesNotUnderstand() {
    assertThat(DeviceStatistics.parse(List.of("", "8 0 sda", SDA.replace("300", "many"))))
        .isEmpty();
  }

  @Test
  void namesDevicesByTheirNumbers() {
    assertThat(DeviceStatistics.name(0xfe00)).isEqualTo("254:0");
    assertThat(DeviceStatistics.name(0x10_3102)).isEqualTo("49:258");
  }

  @Test
  void goesOnWithoutStatistics(@TempDir Path directory) throws IOException {
    Path missing = directory.resolve("none");
    VolumeWatch watch = new VolumeWatch(new VolumeRegistry(), missing);
    watch.look();
    Files.writeString(missing, "not what is expected\n");
    watch.look();
  }
}
