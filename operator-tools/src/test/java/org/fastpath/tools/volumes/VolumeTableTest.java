package org.fastpath.tools.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeTableTest {
  private final VolumeTable table = new VolumeTable();

  @Test
  void readsEachRecordOfTheBean() throws IOException {
    List<VolumeReading> volumes =
        VolumeReading.all(
            new JsonMapper()
                .readTree(
                    """
                    {"tag.directory": "/a", "tag.storageType": "DISK", "choiceCount": 3,
                     "writeP50Nanos": 1000, "writeP99Nanos": 2000, "slownessPermilleCount": 500,
                     "inFlightBytes": 5, "availableBytes": 6, "excludedCount": 0,
                     "tag.directory.1": "/b", "tag.storageType.1": "SSD", "choiceCount.1": 4,
                     "excludedCount.1": 1}
                    """));
    assertThat(volumes)
        .containsExactly(
            new VolumeReading("/a", "DISK", 3, 1000, 2000, 500, 5, 6, false),
            new VolumeReading("/b", "SSD", 4, 0, 0, 0, 0, 0, true));
  }

  @Test
  void aDataNodeWithoutTheBeanHasNoVolumes() throws IOException {
    assertThat(VolumeReading.all(new JsonMapper().readTree("{}").path("beans"))).isEmpty();
  }

  @Test
  void sharesAreThoseSinceTheLastTable() {
    assertThat(table.lines(List.of(volume("/a", 30), volume("/b", 10))))
        .satisfiesExactly(
            headings -> assertThat(headings).contains("share", "p99"),
            line -> assertThat(line).contains(" 75.0 %", "/a"),
            line -> assertThat(line).contains(" 25.0 %", "/b"));
    assertThat(table.lines(List.of(volume("/a", 30), volume("/b", 20))))
        .satisfiesExactly(
            headings -> {},
            line -> assertThat(line).contains(" 0.0 %"),
            line -> assertThat(line).contains("100.0 %"));
  }

  @Test
  void aRestartedDataNodeCountsAnew() {
    table.lines(List.of(volume("/a", 1000), volume("/b", 1000)));
    assertThat(table.lines(List.of(volume("/a", 1), volume("/b", 3))))
        .satisfiesExactly(
            headings -> {},
            line -> assertThat(line).contains(" 25.0 %"),
            line -> assertThat(line).contains(" 75.0 %"));
  }

  @Test
  void saysWhatIsLeftOut() {
    VolumeReading slow = new VolumeReading("/a", "SSD", 1, 1_000, 9_000_000, 20_000, 0, 0, true);
    assertThat(table.lines(List.of(slow)).get(1)).contains("9000 µs", "20.00 ×", "/a (excluded)");
  }

  private static VolumeReading volume(String directory, long choices) {
    return new VolumeReading(directory, "DISK", choices, 0, 0, 1000, 0, 0, false);
  }
}
