package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.hadoop.hbase.errorhandling.ForeignExceptionDispatcher;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotManifestV2;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.fastpath.offheap.reader.ReaderMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans snapshots in a client's process that has the RegionServer's site file, with the keys of our
 * engine, region and cache. HBASE-29104 and HBASE-26274 are among the reports. {@code
 * docs/design/cases.md} lists them.
 */
class SnapshotScansTest {
  private static final String SNAPSHOT = "snapshot";
  private static final int REGIONS = Boolean.getBoolean("nightly") ? 1000 : 12;
  private static final int ROWS = 30;
  private static final byte[] FAMILY = LocalRegions.FAMILY;

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(38);

  @Test
  void rowsAreThoseOfHBasesReaderAndNothingStaysOpen() throws Exception {
    try (LocalRegions regions = new LocalRegions(directory.resolve("hbase"))) {
      Configuration conf = regions.conf();
      // Small index blocks give an index of several levels.
      conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 128);
      TableDescriptor table =
          LocalRegions.table(
                  "t", ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(256).build())
              .build();
      snapshot(regions, table);
      List<String> expected = rows(conf, HRegion.class, new Scan());
      assertThat(expected).hasSize(REGIONS * ROWS);
      long before = ReaderMetrics.openFiles();
      long stores = ReaderMetrics.leanStores();
      assertThat(rows(conf, OffHeapReadRegion.class, new Scan())).isEqualTo(expected);
      assertThat(ReaderMetrics.leanStores()).isGreaterThan(stores);
      Scan batches = new Scan().setBatch(2).setAllowPartialResults(true).setMaxResultSize(100);
      assertThat(rows(conf, OffHeapReadRegion.class, batches))
          .isEqualTo(rows(conf, HRegion.class, batches));
      List<String> splits = mapReduceRows(conf, HRegion.class);
      assertThat(splits).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(mapReduceRows(conf, OffHeapReadRegion.class)).isEqualTo(splits);
      assertThat(ReaderMetrics.openFiles()).isEqualTo(before);
    }
  }

  private void snapshot(LocalRegions regions, TableDescriptor table) throws Exception {
    Configuration conf = regions.conf();
    FileSystem fs = regions.root().getFileSystem(conf);
    SnapshotDescription snapshot =
        SnapshotDescription.newBuilder()
            .setName(SNAPSHOT)
            .setTable(table.getTableName().getNameAsString())
            .setVersion(SnapshotManifestV2.DESCRIPTOR_VERSION)
            .build();
    org.apache.hadoop.fs.Path working =
        SnapshotDescriptionUtils.getWorkingSnapshotDir(snapshot, regions.root(), conf);
    fs.mkdirs(working);
    SnapshotDescriptionUtils.writeSnapshotInfo(snapshot, working, fs);
    SnapshotManifest manifest =
        SnapshotManifest.create(
            conf,
            fs,
            working,
            snapshot,
            new ForeignExceptionDispatcher(SNAPSHOT),
            TaskMonitor.get().createStatus(SNAPSHOT));
    manifest.addTableDescriptor(table);
    for (int i = 0; i < REGIONS; i++) {
      HRegion region = regions.create(table, info(table, i));
      fill(region, i);
      manifest.addRegion(region);
      region.close();
    }
    manifest.consolidate();
    SnapshotDescriptionUtils.completeSnapshot(
        SnapshotDescriptionUtils.getCompletedSnapshotDir(SNAPSHOT, regions.root()),
        working,
        fs,
        working.getFileSystem(conf),
        conf);
  }

  private static RegionInfo info(TableDescriptor table, int number) {
    return RegionInfoBuilder.newBuilder(table.getTableName())
        .setStartKey(number == 0 ? HConstants.EMPTY_START_ROW : LocalRegions.row(number * ROWS))
        .setEndKey(
            number == REGIONS - 1
                ? HConstants.EMPTY_END_ROW
                : LocalRegions.row((number + 1) * ROWS))
        .build();
  }

  private void fill(HRegion region, int number) throws IOException {
    for (int row = number * ROWS; row < (number + 1) * ROWS; row++) {
      Put put = new Put(LocalRegions.row(row));
      for (int column = 0; column < 1 + row % 5; column++) {
        byte[] value = new byte[random.nextInt(60)];
        random.nextBytes(value);
        put.addColumn(FAMILY, new byte[] {(byte) ('a' + column)}, value);
      }
      region.put(put);
    }
    region.flush(true);
  }

  private static Configuration with(Configuration conf, Class<? extends HRegion> region) {
    Configuration own = new Configuration(conf);
    own.setClass(HConstants.REGION_IMPL, region, HRegion.class);
    if (region == HRegion.class) {
      own.unset(StoreEngine.STORE_ENGINE_CLASS_KEY);
    }
    return own;
  }

  private org.apache.hadoop.fs.Path restored(String name) {
    return new org.apache.hadoop.fs.Path(directory.resolve(name).toUri());
  }

  private static String text(Result result) {
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      cells.add(RegionAnswers.text(cell));
    }
    return cells + " " + result.mayHaveMoreCellsInRow();
  }

  private List<String> rows(Configuration conf, Class<? extends HRegion> region, Scan scan)
      throws IOException {
    List<String> rows = new ArrayList<>();
    try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(
            with(conf, region), restored("restored"), SNAPSHOT, new Scan(scan))) {
      scanner.forEach(result -> rows.add(text(result)));
    }
    return rows;
  }

  /** Returns the rows of mappers, split by split. */
  private List<String> mapReduceRows(Configuration conf, Class<? extends HRegion> region)
      throws Exception {
    Configuration own = with(conf, region);
    own.set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(new Scan()));
    Job job = Job.getInstance(own);
    TableSnapshotInputFormat.setInput(job, SNAPSHOT, restored("splits"));
    TableSnapshotInputFormat format = new TableSnapshotInputFormat();
    List<InputSplit> splits = format.getSplits(job);
    assertThat(splits).hasSize(REGIONS);
    List<String> rows = new ArrayList<>();
    for (InputSplit split : splits) {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
      try (RecordReader<ImmutableBytesWritable, Result> reader =
          format.createRecordReader(split, task)) {
        reader.initialize(split, task);
        while (reader.nextKeyValue()) {
          rows.add(text(reader.getCurrentValue()));
        }
      }
    }
    return rows;
  }
}
