package org.fastpath.tiered.regionserver.advise;

import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.NVDIMM;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TierAdviceTest {
  private static final long GIGA = 1L << 30;

  /** Returns the story's machines: four of them, 72 threads each, three replicas. */
  private static ClusterShape story(
      StorageType wal, StorageType flush, StorageType compaction, int... volumesPerNode) {
    Map<StorageType, TierVolumes> volumes = new EnumMap<>(StorageType.class);
    Map<StorageType, Bandwidth> bandwidth = new EnumMap<>(StorageType.class);
    StorageType[] types = {SSD, DISK, NVDIMM};
    for (int i = 0; i < volumesPerNode.length; i++) {
      if (volumesPerNode[i] > 0) {
        int all = 4 * volumesPerNode[i];
        volumes.put(
            types[i], new TierVolumes(types[i], 4, all, all * 1024 * GIGA, all * 512 * GIGA));
        bandwidth.put(types[i], Bandwidth.assumed(types[i]));
      }
    }
    return new ClusterShape(
        volumes,
        bandwidth,
        wal,
        flush,
        compaction,
        Set.of(),
        OptionalLong.empty(),
        3,
        4,
        72,
        16 * GIGA);
  }

  private static ClusterShape with(ClusterShape shape, StorageType... others) {
    return new ClusterShape(
        shape.volumes(),
        shape.bandwidth(),
        shape.wal(),
        shape.flush(),
        shape.compaction(),
        Set.of(others),
        OptionalLong.of(3 * GIGA / 2),
        shape.replication(),
        shape.servers(),
        shape.cores(),
        shape.heapBytes());
  }

  private static String value(ClusterShape shape, String key) {
    return TierAdvice.of(shape).stream()
        .filter(line -> line.key().equals(key))
        .map(Advice::value)
        .findFirst()
        .orElse("");
  }

  /** Its Tables 8 and 9. */
  @Test
  void theStorysSettingsComeOut() {
    ClusterShape disks = story(DISK, DISK, DISK, 0, 8);
    assertThat(value(disks, "hbase.hstore.flusher.count")).isEqualTo("5");
    assertThat(value(disks, "hbase.regionserver.thread.compaction.small")).isEqualTo("3");
    ClusterShape flash = story(SSD, SSD, SSD, 8);
    assertThat(value(flash, "hbase.hstore.flusher.count")).isEqualTo("15");
    assertThat(value(flash, "hbase.regionserver.thread.compaction.small")).isEqualTo("8");
    assertThat(value(flash, "hbase.wal.provider")).isEqualTo("multiwal");
    assertThat(value(flash, "hbase.wal.regiongrouping.numgroups")).isEqualTo("4");
    assertThat(value(flash, "hbase.regionserver.handler.count")).isEqualTo("200");
    assertThat(value(flash, "dfs.datanode.handler.count")).isEqualTo("64");
  }

  @Test
  void filesMayWaitWhereCompactionsAreSlower() {
    assertThat(value(story(SSD, SSD, SSD, 8), "hbase.hstore.blockingStoreFiles")).isEqualTo("16");
    assertThat(value(story(SSD, SSD, DISK, 4, 4), "hbase.hstore.blockingStoreFiles"))
        .isEqualTo("57");
  }

  @Test
  void filesMayWaitWhereSomeCompactionsAreSlower() {
    ClusterShape mixed = story(SSD, SSD, SSD, 4, 4);
    assertThat(value(mixed, "hbase.hstore.blockingStoreFiles")).isEqualTo("16");
    assertThat(value(with(mixed, DISK), "hbase.hstore.blockingStoreFiles")).isEqualTo("57");
    assertThat(value(with(mixed, SSD, DISK), "hbase.hstore.blockingStoreFiles")).isEqualTo("57");
    assertThat(value(with(mixed, DISK), "hbase.regionserver.thread.compaction.small"))
        .isEqualTo(value(mixed, "hbase.regionserver.thread.compaction.small"));
    // If only large files are on SSD, the other compactions are the slow ones.
    ClusterShape reversed = with(story(SSD, SSD, DISK, 4, 4), SSD);
    assertThat(value(reversed, "hbase.hstore.blockingStoreFiles")).isEqualTo("57");
  }

  @Test
  void largeCompactionsKeepASlowerTierBusy() {
    String large = "hbase.regionserver.thread.compaction.large";
    String throttle = "hbase.regionserver.thread.compaction.throttle";
    ClusterShape flash = story(SSD, SSD, SSD, 8);
    assertThat(value(flash, large)).isEqualTo("2");
    assertThat(value(flash, throttle)).isEmpty();
    // Sixteen disks of three replicas are five and a third, of four servers.
    ClusterShape mixed = with(story(SSD, SSD, SSD, 4, 4), DISK);
    assertThat(value(mixed, large)).isEqualTo("2");
    assertThat(value(mixed, throttle)).isEqualTo("1610612736");
    assertThat(value(with(story(SSD, SSD, SSD, 4, 12), DISK), large)).isEqualTo("4");
    // Faster ones are not held back by it.
    assertThat(value(with(story(DISK, DISK, DISK, 8, 4), SSD), large)).isEqualTo("1");
  }

  @Test
  void aLogThatIsMuchFasterThanStoreFilesIsWarnedOf() {
    assertThat(TierAdvice.warnings(story(SSD, SSD, SSD, 8))).isEmpty();
    assertThat(TierAdvice.warnings(story(NVDIMM, DISK, DISK, 0, 8, 1)))
        .singleElement()
        .asString()
        .startsWith("logs on NVDIMM take 3.6 GB/s a server, store files at most 338.7 MB/s");
  }

  @Test
  void logsThatDoNotFitAreWarnedOf() {
    ClusterShape shape = story(SSD, SSD, SSD, 8);
    shape.volumes().put(SSD, new TierVolumes(SSD, 4, 32, GIGA, GIGA));
    assertThat(TierAdvice.warnings(shape)).singleElement().asString().contains("have 1 GB free");
  }

  @Test
  void eachLineHasAReasonAndAKeyOfItsOwn() {
    List<Advice> lines = TierAdvice.of(story(NVDIMM, SSD, DISK, 4, 4, 1));
    assertThat(lines).allSatisfy(line -> assertThat(line.reason()).isNotBlank());
    assertThat(lines).extracting(Advice::key).doesNotHaveDuplicates();
  }

  @Test
  void aSmallMachineIsNotGivenMoreThreadsThanItHasCoresFor() {
    ClusterShape flash = story(SSD, SSD, SSD, 8);
    ClusterShape small =
        new ClusterShape(
            flash.volumes(),
            flash.bandwidth(),
            SSD,
            SSD,
            SSD,
            Set.of(),
            OptionalLong.empty(),
            3,
            4,
            4,
            GIGA);
    assertThat(value(small, "hbase.hstore.flusher.count")).isEqualTo("4");
    assertThat(value(small, "hbase.regionserver.thread.compaction.small")).isEqualTo("2");
    assertThat(value(small, "hbase.regionserver.global.memstore.size.lower.limit"))
        .isEqualTo("0.70");
  }

  @Test
  void volumesAreCountedByTypeOnNodesInService() {
    assertThat(
            TierVolumes.of(
                List.of(
                    node(null, SSD, SSD, DISK),
                    node(null, DISK),
                    node(DatanodeInfo.AdminStates.DECOMMISSIONED, SSD))))
        .containsOnly(
            Map.entry(SSD, new TierVolumes(SSD, 1, 2, 20, 10)),
            Map.entry(DISK, new TierVolumes(DISK, 2, 2, 20, 10)));
  }

  private static DatanodeStorageReport node(DatanodeInfo.AdminStates state, StorageType... types) {
    StorageReport[] reports = new StorageReport[types.length];
    for (int i = 0; i < types.length; i++) {
      DatanodeStorage storage =
          new DatanodeStorage("DS-" + i, DatanodeStorage.State.NORMAL, types[i]);
      reports[i] = new StorageReport(storage, false, 10, 5, 5, 5, 0);
    }
    return new DatanodeStorageReport(
        new DatanodeInfoBuilder().setAdminState(state).build(), reports);
  }

  @Test
  void bandwidthIsReadByType() {
    assertThat(Bandwidth.parse("ssd=447m, DISK=1g"))
        .containsOnly(
            Map.entry(SSD, new Bandwidth(447 << 20, "given")),
            Map.entry(DISK, new Bandwidth(GIGA, "given")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SSD", "SSD=", "TAPE=1m", "SSD=fast", "SSD=0", "SSD=1m=2m"})
  void aWrongBandwidthIsNamed(String list) {
    assertThatThrownBy(() -> Bandwidth.parse(list))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("--bandwidth is " + (list.isEmpty() ? "empty" : list))
        .hasMessageContaining("such as SSD=447m,DISK=127m");
  }
}
