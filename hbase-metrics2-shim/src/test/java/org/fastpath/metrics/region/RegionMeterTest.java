package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionMeterTest {
  @TempDir private Path directory;

  /** As a row of a multi request may, before another row reads inside of a mutation. */
  @Test
  void aGetThatFailedBeforeItReadIsNotCountedWithALaterRead() throws IOException {
    try (LocalRegions regions = new LocalRegions(directory)) {
      HRegion region = regions.open("meter", "");
      RegionMeter meter = new RegionMeter(region, HBaseConfiguration.create());
      meter.opened();
      meter.beginGet();
      meter.cancelGet();
      meter.endGet();
      assertThat(gets(region)).isZero();
      meter.beginGet();
      meter.beginBatch();
      meter.endGet();
      assertThat(gets(region)).isZero();
      meter.beginGet();
      meter.endGet();
      assertThat(gets(region)).isOne();
      meter.closed();
    }
  }

  private static long gets(HRegion region) {
    return Records.of("FastpathRegions").get(LocalRegions.nameOf(region)).get("getCount");
  }
}
