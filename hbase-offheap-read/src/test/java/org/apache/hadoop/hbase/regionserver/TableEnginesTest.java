package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.fastpath.offheap.reader.ReaderOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** If the site enables the reader, a table that names HBase's engine needs no other name. */
class TableEnginesTest {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final int ROWS = 500;

  @TempDir Path directory;
  private LocalRegions regions;

  @BeforeEach
  void start() throws IOException {
    regions = new LocalRegions(directory);
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    regions.conf().set(ReaderOptions.ENABLED, "true");
  }

  @AfterEach
  void stop() throws IOException {
    regions.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Stripe", "DateTiered"})
  void ourEngineStandsForHBases(String kind) throws IOException {
    HRegion region = regions.createWithRows(table(kind).build(), ROWS);
    assertThat(store(region).getStoreEngine().getClass().getName())
        .isEqualTo(PACKAGE + "OffHeapReader" + kind + "StoreEngine");
    region.compact(true);
    for (HStoreFile file : LocalRegions.files(region)) {
      assertThat(file.getReader()).isInstanceOf(OffHeapStoreFileReader.class);
    }
  }

  @Test
  void aTableThatRefusesTheReaderKeepsItsEngine() throws IOException {
    HRegion region =
        regions.createWithRows(
            table("Stripe").setValue(ReaderOptions.ENABLED, "false").build(), ROWS);
    assertThat(store(region)).isExactlyInstanceOf(HStore.class);
    assertThat(store(region).getStoreEngine()).isExactlyInstanceOf(StripeStoreEngine.class);
  }

  @Test
  void whereTheSiteDoesNotAskTheEngineStays() throws IOException {
    regions.conf().unset(ReaderOptions.ENABLED);
    HRegion region = regions.createWithRows(table("Stripe").build(), ROWS);
    assertThat(store(region).getStoreEngine()).isExactlyInstanceOf(StripeStoreEngine.class);
  }

  @Test
  void storesOfTablesThatAreOffAreHBases() throws IOException {
    long before = ReaderMetrics.leanStores();
    HRegion off =
        regions.create(LocalRegions.table("off").setValue(ReaderOptions.ENABLED, "false").build());
    HRegion wrong =
        regions.create(LocalRegions.table("bad").setValue(ReaderOptions.ENABLED, "no").build());
    for (HRegion region : List.of(off, wrong)) {
      assertThat(store(region)).isExactlyInstanceOf(HStore.class);
      try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
        assertThat(scanner).isExactlyInstanceOf(RegionScannerImpl.class);
      }
    }
    assertThat(ReaderMetrics.leanStores()).isEqualTo(before);
    assertThat(store(regions.create(LocalRegions.table("on").build())))
        .isExactlyInstanceOf(LeanStore.class);
    assertThat(ReaderMetrics.leanStores()).isEqualTo(before + 1);
  }

  private static TableDescriptorBuilder table(String kind) {
    return LocalRegions.table(kind)
        .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, PACKAGE + kind + "StoreEngine");
  }

  private static HStore store(HRegion region) {
    return region.getStore(LocalRegions.FAMILY);
  }
}
