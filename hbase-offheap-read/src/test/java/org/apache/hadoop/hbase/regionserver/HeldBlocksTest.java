package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A reader releases its blocks however it ends. The tests use our readers and HBase's, of whole
 * files and of halves. Readers read to the end, are closed early, or fail.
 */
class HeldBlocksTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final int ROWS = 60;
  private static final int STEPS = Boolean.getBoolean("nightly") ? 5000 : 80;
  private static final long SEED = Long.getLong("held.seed", 38);

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<RegionScanner> open = new ArrayList<>();

  /** A filter that throws at one of its calls. */
  private static final class Failing extends FilterBase {
    private int left;

    Failing(int call) {
      left = call;
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
      if (left-- == 0) {
        throw new IOException("as the test wants");
      }
      return ReturnCode.INCLUDE;
    }
  }

  @ParameterizedTest
  @CsvSource({"NONE,false", "FAST_DIFF,false", "FAST_DIFF,true", "DIFF,true", "ROW_INDEX_V1,true"})
  void areGivenBackHoweverReadersEnd(DataBlockEncoding encoding, boolean compressTags)
      throws IOException {
    for (boolean full : new boolean[] {false, true}) {
      Path own = directory.resolve(encoding + "-" + full);
      try (RegionTwins twins =
          new RegionTwins(
              own, full, conf -> conf.setInt("hbase.storescanner.pread.max.bytes", 2048))) {
        TableDescriptor table =
            LocalRegions.table(
                    "held",
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setBlocksize(1024)
                        .setMaxVersions(3)
                        .setDataBlockEncoding(encoding)
                        .setCompressTags(compressTags)
                        .setBloomFilterType(BloomType.ROWCOL)
                        .build())
                .build();
        twins.create(table);
        for (int step = 0; step < STEPS; step++) {
          step(twins.ours());
        }
        closeAll();
        assertThat(twins.heldByOurs()).as("seed " + SEED).isEmpty();
        readHalves(twins);
        assertThat(twins.heldByOurs()).as("halves, seed " + SEED).isEmpty();
      }
    }
  }

  private void step(HRegion region) throws IOException {
    switch (random.nextInt(12)) {
      case 0 -> region.flush(true);
      case 1 -> {
        if (random.nextInt(4) == 0) {
          region.compact(random.nextBoolean());
        }
      }
      case 2 -> region.delete(new Delete(row()).addColumns(FAMILY, qualifier()));
      case 3 -> region.get(new Get(row()));
      case 4 -> region.get(new Get(row()).addColumn(FAMILY, qualifier()).readVersions(2));
      case 5, 6, 7 -> openScanner(region);
      case 8 -> closeOne();
      default -> put(region);
    }
    readOn();
  }

  private byte[] row() {
    return LocalRegions.row(random.nextInt(ROWS));
  }

  private byte[] qualifier() {
    return Bytes.toBytes("q" + random.nextInt(4));
  }

  private void put(HRegion region) throws IOException {
    for (int i = 0; i < 10; i++) {
      Put put = new Put(row()).addColumn(FAMILY, qualifier(), new byte[random.nextInt(400)]);
      if (random.nextBoolean()) {
        // The TTL is stored as a tag.
        put.setTTL(Integer.MAX_VALUE);
      }
      region.put(put);
    }
  }

  private void openScanner(HRegion region) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(row(), random.nextBoolean())
            .setReversed(random.nextInt(3) == 0)
            .readVersions(1 + random.nextInt(3))
            .setReadType(Scan.ReadType.values()[random.nextInt(3)]);
    if (random.nextInt(3) == 0) {
      scan.setFilter(new Failing(random.nextInt(60)));
    }
    if (random.nextInt(3) == 0) {
      scan.addColumn(FAMILY, qualifier()).addColumn(FAMILY, qualifier());
    }
    open.add(region.getScanner(scan));
  }

  /**
   * Reads some rows of one of the scanners. If a request fails, its scanner is closed, as by a
   * server.
   */
  private void readOn() throws IOException {
    if (open.isEmpty()) {
      return;
    }
    RegionScanner scanner = open.get(random.nextInt(open.size()));
    try {
      for (int rows = random.nextInt(20); rows > 0; rows--) {
        if (!scanner.next(new ArrayList<>())) {
          close(scanner);
          return;
        }
        if (random.nextInt(5) == 0) {
          ((Shipper) scanner).shipped();
        }
      }
    } catch (IOException e) {
      close(scanner);
    }
  }

  private void closeOne() throws IOException {
    if (!open.isEmpty()) {
      close(open.get(random.nextInt(open.size())));
    }
  }

  private void close(RegionScanner scanner) throws IOException {
    scanner.close();
    open.remove(scanner);
  }

  private void closeAll() throws IOException {
    for (RegionScanner scanner : List.copyOf(open)) {
      close(scanner);
    }
  }

  /** Reads both halves of the region after a split, while they are compacted. */
  private void readHalves(RegionTwins twins) throws IOException {
    twins.ours().flush(true);
    for (HRegion half : twins.ourRegions().split(twins.ours(), LocalRegions.row(ROWS / 2))) {
      for (int i = 0; i < 30; i++) {
        openScanner(half);
        readOn();
      }
      half.compact(true);
      readOn();
      half.close();
      closeAll();
    }
  }
}
