package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes a file of one family like a job, and loads it. */
final class BulkLoad {
  private static final String ASSIGN_SEQUENCE_IDS =
      "hbase.mapreduce.bulkload.assign.sequenceNumbers";
  private static final int MARK_EVERY = 5;

  private final Tables tables;
  private Times times;
  private int loads;

  BulkLoad(Tables tables) {
    this.tables = tables;
  }

  void begin(Times runTimes) {
    times = runTimes;
    loads = 0;
  }

  Outcome load(Line line) throws Exception {
    Configuration conf = new Configuration(tables.conf());
    conf.setBoolean(ASSIGN_SEQUENCE_IDS, !line.has("noSequence"));
    FileSystem fs = FileSystem.get(conf);
    TableName table = tables.name(line, "t");
    byte[] family = Bytes.toBytes(line.get("family"));
    Path directory = new Path("/bulk/" + table.getNameAsString() + "-" + ++loads);
    Path file = new Path(directory, "file");
    List<ExtendedCell> cells = cells(line);
    write(line, conf, fs, file, cells);
    Map<byte[], List<Path>> files = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    files.put(family, List.of(file));
    BulkLoadHFiles.create(conf).bulkLoad(table, files);
    fs.delete(directory, true);
    return Outcome.of("done " + cells.size());
  }

  private List<ExtendedCell> cells(Line line) {
    List<ExtendedCell> cells = new ArrayList<>();
    long millis = times.millis(line.number("ts", 1));
    long length = line.number("length", 5);
    long count = line.number("count", 1);
    int number = (int) line.number("seed", 0);
    for (String row : Writes.rows(line)) {
      number++;
      byte[] key = Words.bytes(row);
      for (String text : line.list("columns")) {
        String value = "/" + (1 + number % 30) + "x" + length;
        Mutations.Column column = Mutations.Column.parse(line.get("family") + ":" + text + value);
        for (int version = 0; version < count; version++) {
          cells.add(
              Mutations.cell(key, column, millis + version, Cell.Type.Put, line.get("tag", "")));
        }
        if (line.has("marks") && number % MARK_EVERY == 0) {
          cells.add(
              Mutations.cell(
                  key,
                  new Mutations.Column(column.family(), column.qualifier(), null),
                  millis,
                  Cell.Type.DeleteColumn,
                  ""));
        }
      }
    }
    cells.sort(CellComparatorImpl.COMPARATOR);
    return cells;
  }

  private void write(
      Line line, Configuration conf, FileSystem fs, Path file, List<ExtendedCell> cells)
      throws Exception {
    HFileContext context =
        new HFileContextBuilder()
            .withIncludesTags(true)
            .withIncludesMvcc(true)
            .withBlockSize((int) line.number("blockSize", 1024))
            .withCompression(Compression.Algorithm.valueOf(line.get("compression", "NONE")))
            .withDataBlockEncoding(DataBlockEncoding.valueOf(line.get("encoding", "NONE")))
            .build();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, CacheConfig.DISABLED, fs)
            .withFilePath(file)
            .withFileContext(context)
            .withBloomType(BloomType.valueOf(line.get("bloom", "NONE")))
            .build();
    try {
      for (ExtendedCell cell : cells) {
        writer.append(cell);
      }
      // Files without sequence ids are ordered by this time, so it must be the same on both
      // variants.
      writer.appendFileInfo(
          HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(times.startMillis() + loads));
      writer.appendFileInfo(HStoreFile.EXCLUDE_FROM_MINOR_COMPACTION_KEY, Bytes.toBytes(false));
      writer.appendTrackedTimestampsToMetadata();
    } finally {
      writer.close();
    }
  }
}
