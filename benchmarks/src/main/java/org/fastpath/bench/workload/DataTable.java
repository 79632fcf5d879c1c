package org.fastpath.bench.workload;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.fastpath.metrics.region.RegionMeter;

/**
 * A table with one region, one family and one cell per row, written and read by HBase's own client.
 *
 * <p>Values are random, so that nothing can compress them, and follow from the row's number: each
 * side works on the same bytes. Reads leave the block cache alone, so that each of them fetches its
 * block from HDFS and verifies its checksums.
 */
public final class DataTable {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final long WRITE_BUFFER = 4L << 20;
  private static final long SCAN_RESULT_BYTES = 2L << 20;

  private final Testbed testbed;
  private final TableName name;

  /**
   * What a table holds.
   *
   * @param rows how many rows
   * @param valueBytes size of each row's only value
   * @param files how many store files they come to lie in
   */
  public record Shape(int rows, int valueBytes, int files) {
    private static final int FEWEST_FILES = 2;

    /** Of a cell in a store file: lengths, row, family, qualifier, time, type and sequence. */
    private static final int KEY_BYTES = 33;

    /** Small enough for the heap's share of memstores. */
    private static final long FLUSH_BYTES = 64L << 20;

    /** A table that is loaded in as many parts as do not fill the heap. */
    static Shape inFlushes(int rows, int valueBytes) {
      int files = (int) ((long) rows * valueBytes / FLUSH_BYTES) + 1;
      return new Shape(rows, valueBytes, files);
    }

    /** A table of this size in its store files. */
    static Shape ofMegabytes(int megabytes, int valueBytes) {
      long rows = ((long) megabytes << 20) / new Shape(1, valueBytes, 1).rowBytes();
      return inFlushes((int) rows, valueBytes);
    }

    /** Bytes of all values. */
    public long bytes() {
      return (long) rows * valueBytes;
    }

    /** What a row takes in a store file. */
    int rowBytes() {
      return KEY_BYTES + valueBytes;
    }

    /** This share of the rows, in no more files than a compaction needs. */
    public Shape share(double share) {
      return new Shape(Math.max(FEWEST_FILES, (int) (rows * share)), valueBytes, FEWEST_FILES);
    }
  }

  /** Hears how many rows are done. */
  @FunctionalInterface
  public interface Listener {
    /** Called now and then. */
    void rows(long done, long total);
  }

  /** A table of this name, which need not exist yet. */
  public DataTable(Testbed testbed, String name) {
    this.testbed = testbed;
    this.name = TableName.valueOf(name);
  }

  TableName name() {
    return name;
  }

  static String family() {
    return new String(FAMILY, StandardCharsets.US_ASCII);
  }

  /** Creates it, empty. */
  public void create() throws IOException {
    admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
  }

  /**
   * Writes all rows, with a flush after each part of them. The parts overlap in the key space, as
   * those of a table in use do: a compaction has to merge them.
   */
  public void load(Shape shape, Durability durability, Listener listener) throws IOException {
    for (int file = 0; file < shape.files(); file++) {
      put(shape, file, durability, listener);
      admin().flush(name);
    }
  }

  private void put(Shape shape, int file, Durability durability, Listener listener)
      throws IOException {
    BufferedMutatorParams params = new BufferedMutatorParams(name).writeBufferSize(WRITE_BUFFER);
    try (BufferedMutator mutator = testbed.connection().getBufferedMutator(params)) {
      long before = (long) shape.rows() * file / shape.files();
      for (int row = file; row < shape.rows(); row += shape.files()) {
        mutator.mutate(put(row, shape.valueBytes()).setDurability(durability));
        listener.rows(before + row / shape.files(), shape.rows());
      }
    }
  }

  private static Put put(int row, int valueBytes) {
    byte[] value = new byte[valueBytes];
    new SplittableRandom(row).nextBytes(value);
    return new Put(key(row)).addColumn(FAMILY, QUALIFIER, value);
  }

  static byte[] key(int row) {
    return String.format(Locale.ROOT, "%010d", row).getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads all rows in order. */
  public void scan(Shape shape, Listener listener) throws IOException {
    Scan scan = new Scan().setCacheBlocks(false).setMaxResultSize(SCAN_RESULT_BYTES);
    long rows = 0;
    try (Table table = testbed.connection().getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        require(result, shape.valueBytes());
        listener.rows(++rows, shape.rows());
      }
    }
    if (rows != shape.rows()) {
      throw new IOException("a scan found " + rows + " rows instead of " + shape.rows());
    }
  }

  /** Reads rows at random, several at once, the same ones whenever the numbers are the same. */
  public void multiGet(Shape shape, int rows, int batch, Listener listener) throws IOException {
    SplittableRandom random = new SplittableRandom(rows);
    try (Table table = testbed.connection().getTable(name)) {
      for (int done = 0; done < rows; done += batch) {
        List<Get> gets = new ArrayList<>(batch);
        for (int i = 0; i < Math.min(batch, rows - done); i++) {
          gets.add(new Get(key(random.nextInt(shape.rows()))).setCacheBlocks(false));
        }
        for (Result result : table.get(gets)) {
          require(result, shape.valueBytes());
        }
        listener.rows(done + gets.size(), rows);
      }
    }
  }

  static void require(Result result, int valueBytes) throws IOException {
    byte[] value = result.getValue(FAMILY, QUALIFIER);
    if (value == null || value.length != valueBytes) {
      throw new IOException(
          "a row came back " + (value == null ? "without value" : "with a value cut short"));
    }
  }

  /** Removes it and what it has on disk. */
  public void drop() throws IOException {
    disable();
    delete();
    deleteArchive();
  }

  /** Shows its regions in our metrics, or does not. */
  void observe(boolean wanted) throws IOException {
    attribute(RegionMeter.TABLE_ATTRIBUTE, wanted);
  }

  /** Sets an attribute; if it changes, the region closes and opens again. */
  void attribute(String key, boolean wanted) throws IOException {
    TableDescriptor now = admin().getDescriptor(name);
    String value = Boolean.toString(wanted);
    if (!value.equals(now.getValue(key))) {
      admin().modifyTable(TableDescriptorBuilder.newBuilder(now).setValue(key, value).build());
    }
  }

  void disable() throws IOException {
    admin().disableTable(name);
  }

  void delete() throws IOException {
    admin().deleteTable(name);
  }

  /** Where HBase keeps its store files, of which it has one directory: one region, one family. */
  Path directory() throws IOException {
    Path root = CommonFSUtils.getRootDir(testbed.connection().getConfiguration());
    String region = admin().getRegions(name).get(0).getEncodedName();
    return new Path(new Path(CommonFSUtils.getTableDir(root, name), region), family());
  }

  /** HBase keeps the files of a dropped table for a while, which would fill the disk. */
  void deleteArchive() throws IOException {
    Configuration conf = testbed.connection().getConfiguration();
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem.get(conf).delete(HFileArchiveUtil.getTableArchivePath(root, name), true);
  }

  private Admin admin() {
    return testbed.admin();
  }
}
