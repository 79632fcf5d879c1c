package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;

/**
 * Saved store files of a table, from which new tables are created for compactions. All variants
 * merge the same files, byte for byte and block for block, and no variant must load them.
 *
 * <p>A new table gets the files by bulk load, which moves them into place. After a compaction,
 * HBase archives its inputs, and the files come back from the archive. A new load each time would
 * take several times as long and would warm the RegionServer up in different ways. HBase reads a
 * snapshot's clones through links, which cannot read into direct buffers, unlike production.
 */
public final class StoreFiles {
  private static final Path KEPT = new Path("/fastpath/kept");
  private static final String BULK_LOAD_SUFFIX = "_SeqId_\\d+_$";

  private final Cluster cluster;
  private final Configuration conf;
  private final FileSystem fileSystem;
  private final Path kept = new Path(KEPT, DataTable.family());
  private final int count;
  private int tables;

  /** The archive directory of the table that has the files now. */
  private Path archive;

  private List<FileStatus> lent = List.of();

  /** Takes the files of the table, which has one region, and drops the table. */
  public StoreFiles(Cluster cluster, DataTable table) throws IOException {
    this.cluster = cluster;
    this.conf = cluster.connection().getConfiguration();
    this.fileSystem = FileSystem.get(conf);
    fileSystem.delete(KEPT, true);
    lend(table);
    count = lent.size();
    takeBack(table);
  }

  /** Creates a table with these files; no other table may have them now. */
  public DataTable newTable() throws IOException {
    DataTable table = new DataTable(cluster, "copy_" + tables++);
    table.create();
    BulkLoadHFiles.create(conf).bulkLoad(table.name(), KEPT);
    lend(table);
    if (lent.size() != count) {
      throw new IOException(table.name() + " got " + lent.size() + " of " + count + " store files");
    }
    return table;
  }

  /** Drops the table and takes the files back. */
  public void takeBack(DataTable table) throws IOException {
    table.remove();
    fileSystem.mkdirs(kept);
    for (FileStatus one : lent) {
      String name = one.getPath().getName();
      Path file = new Path(archive, name);
      if (!fileSystem.rename(file, new Path(kept, name.replaceFirst(BULK_LOAD_SUFFIX, "")))) {
        throw new IOException(file + " does not exist, because HBase did not archive it");
      }
    }
    lent = List.of();
    table.deleteArchive();
  }

  private void lend(DataTable table) throws IOException {
    FileStatus[] listed = fileSystem.listStatus(table.directory());
    lent = Stream.of(listed).filter(FileStatus::isFile).toList();
    RegionInfo region = cluster.admin().getRegions(table.name()).get(0);
    archive = HFileArchiveUtil.getStoreArchivePath(conf, region, Bytes.toBytes(DataTable.family()));
  }
}
