package org.fastpath.bench.workload;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Copies of a table's store files, from which any number of tables can be made for compactions: all
 * sides merge the same bytes, and no side has to load them.
 *
 * <p>A new table gets its files by bulk load of a copy. Clones of a snapshot would be quicker, but
 * HBase reads a clone's files through links that have no vectored and no direct-buffer reads, which
 * a table in production is not read through. Loading by puts each time would take several times as
 * long and would warm the RegionServer up differently from a compaction.
 */
public final class StoreFiles {
  private static final Path KEPT = new Path("/fastpath/kept");
  private static final Path STAGED = new Path("/fastpath/staged");

  private final Testbed testbed;
  private final FileSystem fileSystem;
  private int tables;

  /** Keeps what the table, which has one region, has on disk now. */
  public StoreFiles(Testbed testbed, DataTable table) throws IOException {
    this.testbed = testbed;
    Configuration conf = testbed.connection().getConfiguration();
    this.fileSystem = FileSystem.get(conf);
    fileSystem.delete(KEPT, true);
    copy(storeDirectory(conf, table), new Path(KEPT, DataTable.family()));
  }

  private Path storeDirectory(Configuration conf, DataTable table) throws IOException {
    RegionInfo region = testbed.admin().getRegions(table.name()).get(0);
    Path directory = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), table.name());
    return new Path(new Path(directory, region.getEncodedName()), DataTable.family());
  }

  /** The number of files. */
  public int count() throws IOException {
    return fileSystem.listStatus(new Path(KEPT, DataTable.family())).length;
  }

  /** A new table that consists of a copy of the files. */
  public DataTable newTable() throws IOException {
    DataTable table = new DataTable(testbed, "copy_" + tables++);
    table.create();
    fileSystem.delete(STAGED, true);
    copy(new Path(KEPT, DataTable.family()), new Path(STAGED, DataTable.family()));
    BulkLoadHFiles.create(fileSystem.getConf()).bulkLoad(table.name(), STAGED);
    return table;
  }

  private void copy(Path from, Path to) throws IOException {
    fileSystem.mkdirs(to);
    for (FileStatus file : fileSystem.listStatus(from)) {
      if (file.isFile()) {
        FileUtil.copy(fileSystem, file.getPath(), fileSystem, to, false, fileSystem.getConf());
      }
    }
  }
}
