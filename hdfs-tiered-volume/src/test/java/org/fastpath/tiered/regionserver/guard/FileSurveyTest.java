package org.fastpath.tiered.regionserver.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each file is looked up and counted once, whichever look-ups fail. */
class FileSurveyTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int FILES = 4;

  @TempDir Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private final List<HRegion> open = new ArrayList<>();
  private final List<Exception> failures = new ArrayList<>();
  private final TierMeters meters = new TierMeters();
  private final GuardMetrics metrics =
      new GuardMetrics(() -> 0, () -> new ServerWatch.Counts(0, 0, 0), () -> 0);
  private WALFactory wals;
  private int lookups;
  private int counted;

  /** The placements of a file; the survey goes over them when it counts the file. */
  @SuppressWarnings("serial")
  private final class Placements extends HashMap<LocatedFile.Placement, Long> {
    @Override
    public void forEach(BiConsumer<? super LocatedFile.Placement, ? super Long> action) {
      counted++;
    }
  }

  private final class Online implements OnlineRegions {
    @Override
    public Region getRegion(String encodedName) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<? extends Region> getRegions(TableName table) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<? extends Region> getRegions() {
      return open;
    }
  }

  @BeforeEach
  void start() throws IOException {
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    conf.set(HConstants.HBASE_DIR, directory.toUri().toString());
    wals = new WALFactory(conf, "local");
    region("first");
    region("second");
  }

  private void region(String name) throws IOException {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(directory.toUri());
    HRegion region = HRegion.createHRegion(info, root, conf, table, wals.getWAL(info));
    open.add(region);
    for (int file = 0; file < FILES; file++) {
      region.put(new Put(Bytes.toBytes(file)).addColumn(FAMILY, FAMILY, FAMILY));
      region.flush(true);
    }
  }

  @AfterEach
  void stop() throws IOException {
    for (HRegion region : open) {
      region.close();
    }
    wals.close();
    meters.close();
    metrics.close();
  }

  private FileSurvey survey(FileSurvey.Locator locator) {
    GuardOptions options = GuardOptions.of(new Configuration(false));
    return new FileSurvey(
        new Online(),
        path -> {
          lookups++;
          return locator.locate(path);
        },
        meters,
        new TierTraffic(),
        metrics,
        new Fallbacks(options),
        failures::add);
  }

  private LocatedFile located() {
    return new LocatedFile(Map.of(StorageType.DISK, 1L), new Placements());
  }

  @Test
  void aLookupThatFailsIsRepeatedAlone() {
    FileSurvey survey =
        survey(
            path -> {
              if (lookups == 3) {
                throw new IOException("thrown by the test");
              }
              return located();
            });
    survey.round(System.nanoTime());
    assertThat(counted).isEqualTo(2 * FILES - 1);
    survey.round(System.nanoTime());
    assertThat(counted).isEqualTo(2 * FILES);
    assertThat(lookups).isEqualTo(2 * FILES + 1);
    survey.round(System.nanoTime());
    assertThat(lookups).isEqualTo(2 * FILES + 1);
    assertThat(failures).hasSize(1);
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsAskedAFewTimesARound() {
    FileSurvey survey =
        survey(
            path -> {
              if (lookups <= 6) {
                throw new IOException("thrown by the test");
              }
              return located();
            });
    survey.round(System.nanoTime());
    assertThat(lookups).isEqualTo(3);
    survey.round(System.nanoTime());
    assertThat(lookups).isEqualTo(6);
    survey.round(System.nanoTime());
    assertThat(counted).isEqualTo(2 * FILES);
  }

  @Test
  void aFileThatAlwaysFailsKeepsNoOtherWaiting() {
    List<String> first = new ArrayList<>();
    FileSurvey survey =
        survey(
            path -> {
              if (first.isEmpty()) {
                first.add(path);
              }
              if (first.contains(path)) {
                throw new IllegalStateException("thrown by the test");
              }
              return located();
            });
    for (int round = 0; round < 3; round++) {
      survey.round(System.nanoTime());
    }
    assertThat(counted).isEqualTo(2 * FILES - 1);
    assertThat(failures).hasSize(3);
  }
}
