package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;

/**
 * A table with one region, one family and one cell per row, written and read by HBase's own client.
 *
 * <p>Values are random, so no algorithm can compress them. They are computed from the row's number,
 * so each variant works on the same bytes. Reads bypass the block cache. So each read fetches its
 * block from HDFS and verifies its checksums.
 */
public final class DataTable {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final long WRITE_BUFFER = 4L << 20;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Cluster cluster;
  private final TableName name;

  /** The content of a table, whose rows have one value each, and the number of its store files. */
  public record Shape(int rows, int valueBytes, int files) {
    /** A cell's key in a store file: lengths, row, family, qualifier, time, type and sequence. */
    private static final int KEY_BYTES = 33;

    /** The bytes of a part, small enough for the heap's share of memstores. */
    private static final long FLUSH_BYTES = 64L << 20;

    /** Returns a table that is loaded in parts that do not fill the heap. */
    public static Shape inFlushes(int rows, int valueBytes) {
      int files = (int) ((long) rows * valueBytes / FLUSH_BYTES) + 1;
      return new Shape(rows, valueBytes, files);
    }

    public static Shape ofMegabytes(int megabytes, int valueBytes) {
      long rows = ((long) megabytes << 20) / new Shape(1, valueBytes, 1).rowBytes();
      return inFlushes((int) rows, valueBytes);
    }

    public int rowBytes() {
      return KEY_BYTES + valueBytes;
    }
  }

  /** Refers to a table of this name, which need not exist yet. */
  public DataTable(Cluster cluster, String name) {
    this.cluster = cluster;
    this.name = TableName.valueOf(name);
  }

  public TableName name() {
    return name;
  }

  public static String family() {
    return Bytes.toString(FAMILY);
  }

  public void create() throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    admin().createTable(table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build());
  }

  /**
   * Writes all rows, with a flush after each part. The parts overlap in the key space, like those
   * of a table in production. So a compaction must merge them.
   */
  public void load(Shape shape, Durability durability, Console.Step step) throws IOException {
    long written = 0;
    for (int file = 0; file < shape.files(); file++) {
      BufferedMutatorParams params = new BufferedMutatorParams(name).writeBufferSize(WRITE_BUFFER);
      try (BufferedMutator mutator = cluster.connection().getBufferedMutator(params)) {
        for (int row = file; row < shape.rows(); row += shape.files()) {
          byte[] value = new byte[shape.valueBytes()];
          new SplittableRandom(row).nextBytes(value);
          Put put = new Put(key(row)).addColumn(FAMILY, QUALIFIER, value);
          mutator.mutate(put.setDurability(durability));
          step.update(++written, shape.rows());
        }
      }
      admin().flush(name);
    }
  }

  /** Creates a table and loads it, one store file after the other, without a WAL. */
  public static DataTable loaded(Cluster cluster, String name, Shape shape, Run run)
      throws IOException {
    Console.Step step = run.step("rows", "load of " + name);
    DataTable table = new DataTable(cluster, name);
    table.create();
    table.load(shape, Durability.SKIP_WAL, step);
    step.done(shape.rows());
    return table;
  }

  /** Creates a table and loads it into one store file, so a get searches one block. */
  public static DataTable compacted(Cluster cluster, String name, Shape shape, Run run)
      throws IOException {
    DataTable table = loaded(cluster, name, shape, run);
    Console.Step compaction = run.step("rows", "compaction into one store file");
    table.majorCompact(compaction);
    compaction.done(shape.rows());
    return table;
  }

  /**
   * Rewrites all store files into one, also if there is only one, and waits for the end. Its
   * regions are on one server. The step receives the number of cells.
   */
  public void majorCompact(Console.Step step) throws IOException {
    long before = lastCompaction(regions());
    admin().majorCompact(name);
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!compacted(before, step)) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "the compaction of " + name + " has not ended after " + LIMIT.toMinutes() + " min");
      }
      // Short compared with a compaction. The two calls cost the server far less than 1 ms.
      Pause.millis(50);
    }
  }

  public void majorCompact() throws IOException {
    majorCompact(Console.silent().step("", ""));
  }

  /**
   * Returns whether the compaction has ended. A request is queued with a delay, so a state without
   * compactions may be before the start. Only a new store file proves the end.
   */
  private boolean compacted(long before, Console.Step step) throws IOException {
    List<RegionMetrics> regions = regions();
    long total = regions.stream().mapToLong(RegionMetrics::getCompactingCellCount).sum();
    long done = regions.stream().mapToLong(RegionMetrics::getCompactedCellCount).sum();
    if (total > 0) {
      step.update(done, total);
    }
    return lastCompaction(regions) > before
        && admin().getCompactionState(name) == CompactionState.NONE;
  }

  /** Returns the creation time of the last major compaction's result; 0 if there was none. */
  private static long lastCompaction(List<RegionMetrics> regions) {
    return regions.stream()
        .mapToLong(RegionMetrics::getLastMajorCompactionTimestamp)
        .min()
        .orElse(0);
  }

  private List<RegionMetrics> regions() throws IOException {
    return admin().getRegionMetrics(admin().getRegionServers().iterator().next(), name);
  }

  public static byte[] key(int row) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%010d", row));
  }

  public static void require(Result result, int valueBytes) throws IOException {
    byte[] value = result.getValue(FAMILY, QUALIFIER);
    if (value == null || value.length != valueBytes) {
      throw new IOException("a row has " + (value == null ? "no value" : "a truncated value"));
    }
  }

  /** Removes the table. HBase archives its files, until {@link #deleteArchive}. */
  public void remove() throws IOException {
    admin().disableTable(name);
    admin().deleteTable(name);
  }

  /** Sets an attribute. If it changes, the region closes and opens again. */
  public void attribute(String key, boolean wanted) throws IOException {
    TableDescriptor now = admin().getDescriptor(name);
    String value = Boolean.toString(wanted);
    if (!value.equals(now.getValue(key))) {
      admin().modifyTable(TableDescriptorBuilder.newBuilder(now).setValue(key, value).build());
    }
  }

  /** Returns the directory of its store files, one because it has one region and one family. */
  public Path directory() throws IOException {
    Path root = CommonFSUtils.getRootDir(cluster.connection().getConfiguration());
    String region = admin().getRegions(name).get(0).getEncodedName();
    return new Path(CommonFSUtils.getRegionDir(root, name, region), family());
  }

  /** Deletes the files of dropped tables, which HBase keeps and which would fill the disk. */
  public void deleteArchive() throws IOException {
    Configuration conf = cluster.connection().getConfiguration();
    Path root = CommonFSUtils.getRootDir(conf);
    FileSystem.get(conf).delete(HFileArchiveUtil.getTableArchivePath(root, name), true);
  }

  private Admin admin() throws IOException {
    return cluster.admin();
  }
}
