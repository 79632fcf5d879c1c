package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

class RegionReadsTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private static final ServerName HERE = ServerName.valueOf("here", 1, 1);
  private static final ServerName THERE = ServerName.valueOf("there", 1, 1);
  private static final long MEMORY_MILLIS = 10_000;

  private final RegionReads reads = new RegionReads(MEMORY_MILLIS);

  private void report(ServerName server, long count, long millis) {
    report(server, count, millis, 1);
  }

  private void report(ServerName server, long count, long millis, int storeFiles) {
    ClusterMetrics metrics =
        ClusterMetricsBuilder.newBuilder()
            .setLiveServerMetrics(
                Map.of(
                    server,
                    ServerMetricsBuilder.newBuilder(server)
                        .setReportTimestamp(millis)
                        .setRegionMetrics(
                            List.of(
                                RegionMetricsBuilder.newBuilder(REGION.getRegionName())
                                    .setReadRequestCount(count)
                                    .setStoreFileCount(storeFiles)
                                    .build()))
                        .build()))
            .build();
    reads.update(metrics);
  }

  private double perSecond() {
    return reads.perSecond(REGION.getEncodedName()).orElse(-1);
  }

  @Test
  void twoReportsMakeARate() {
    assertThat(perSecond()).isEqualTo(-1);
    report(HERE, 100, 1_000);
    assertThat(perSecond()).isEqualTo(-1);
    report(HERE, 100, 1_000);
    assertThat(perSecond()).as("the same report").isEqualTo(-1);
    report(HERE, 400, 3_000);
    assertThat(perSecond()).isEqualTo(150);
  }

  @Test
  void theAverageForgetsSlowly() {
    report(HERE, 0, 0);
    report(HERE, 1_000, 1_000);
    report(HERE, 1_000, 1_000 + MEMORY_MILLIS);
    assertThat(perSecond()).isCloseTo(1_000 / Math.E, within(1e-6));
  }

  @Test
  void aRegionThatMovesKeepsItsAverage() {
    report(HERE, 0, 0);
    report(HERE, 500, 1_000);
    report(THERE, 10, 5_000);
    assertThat(perSecond()).isEqualTo(500);
    report(THERE, 510, 6_000);
    assertThat(perSecond()).isEqualTo(500);
  }

  @Test
  void aServerWhoseClockStepsBackIsHeard() {
    report(HERE, 0, 10_000);
    report(HERE, 500, 11_000);
    OptionalLong before = reads.fingerprint(REGION.getEncodedName());
    report(HERE, 600, 1_000, 2);
    assertThat(reads.fingerprint(REGION.getEncodedName())).isPresent().isNotEqualTo(before);
    assertThat(perSecond()).isEqualTo(500);
    report(HERE, 1_100, 2_000, 2);
    assertThat(perSecond()).isEqualTo(500);
  }

  @Test
  void aRegionThatIsNowhereIsForgotten() {
    report(HERE, 0, 0);
    report(HERE, 500, 1_000);
    reads.update(ClusterMetricsBuilder.newBuilder().build());
    assertThat(reads.perSecond(REGION.getEncodedName())).isEmpty();
  }
}
