package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/**
 * HBase with all parts for tiers on DataNodes with volumes of three types, and queries for tests. A
 * keeper's round follows soon upon the last one.
 */
final class TierCluster implements AutoCloseable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  static final String QUEUE = "/system/fastpath-moves";

  private static final java.nio.file.Path OURS =
      java.nio.file.Path.of("target", "classes").toAbsolutePath();
  private static final int VALUE_BYTES = 200;

  private final LocalCluster processes;
  private final Configuration conf = new Configuration();
  private final Connection connection;
  private final Admin admin;
  private final DistributedFileSystem fs;

  private TierCluster(LocalCluster processes) throws IOException {
    this.processes = processes;
    processes.clientConfiguration().forEach(conf::set);
    connection = ConnectionFactory.createConnection(conf);
    admin = connection.getAdmin();
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  /** Returns the common part; the caller adds its own before {@link #start}. */
  static ClusterBuilder builder(java.nio.file.Path directory) {
    return LocalCluster.builder()
        .directory(directory)
        .volumes("[DISK]", "[SSD]", "[ARCHIVE]")
        .conf("hbase.hfile.compaction.discharger.interval", "500")
        .conf("dfs.namenode.redundancy.interval.seconds", "1")
        .conf("dfs.fastpath.move.poll-millis", "100")
        .conf("dfs.fastpath.move.lease-millis", "1000")
        .conf("dfs.fastpath.move.backoff-millis", "100")
        .daemon(Role.DATANODE, DaemonOptions::quickStart)
        .daemon(
            Role.MASTER,
            options ->
                options
                    .prependToClasspath(OURS)
                    .conf(
                        Map.of(
                            KeeperOptions.PERIOD,
                            "300",
                            KeeperOptions.RETRY,
                            "1000",
                            KeeperOptions.CALLS_PER_SECOND,
                            "10000",
                            KeeperOptions.REFRESH,
                            "3000",
                            "hbase.coprocessor.master.classes",
                            String.join(
                                ",",
                                TierRulesChecker.class.getName(),
                                TierKeeper.class.getName()))))
        .daemon(
            Role.REGIONSERVER,
            options ->
                options
                    .prependToClasspath(OURS)
                    .heap("512m")
                    .quickStart()
                    .conf("hbase.coprocessor.user.region.classes", TieredStores.class.getName()));
  }

  static TierCluster start(ClusterBuilder builder) throws IOException {
    return new TierCluster(builder.start());
  }

  LocalCluster processes() {
    return processes;
  }

  Configuration conf() {
    return conf;
  }

  Connection connection() {
    return connection;
  }

  Admin admin() {
    return admin;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** Rules: flushes on SSDs, compactions on disks, archived files moved at once. */
  static TableDescriptorBuilder threeTiers(TableName name) {
    return table(name)
        .setValue(TierRules.FLUSH, "ALL_SSD")
        .setValue(TierRules.COMPACTION, "HOT")
        .setValue(AtRestRules.ARCHIVE, "COLD")
        .setValue(AtRestRules.ARCHIVE_AGE, "0");
  }

  static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
  }

  static byte[] key(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  /** Writes rows from one number on, with values by row. */
  void put(TableName name, int first, int count, long timestamp) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int row = first; row < first + count; row++) {
      puts.add(new Put(key(row)).addColumn(FAMILY, QUALIFIER, timestamp, value(row)));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  static byte[] value(int row) {
    byte[] value = new byte[VALUE_BYTES];
    Bytes.putInt(value, 0, row);
    return value;
  }

  /** A flush of some rows. */
  void flush(TableName name, int first, int count) throws IOException {
    put(name, first, count, System.currentTimeMillis());
    admin.flush(name);
  }

  Path directory(TableName name) throws IOException {
    return CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), name);
  }

  Path archive(TableName name) throws IOException {
    return HFileArchiveUtil.getTableArchivePath(conf, name);
  }

  /** Returns all files below a directory; none if it is changing. */
  List<FileStatus> filesBelow(Path directory) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> all = fs.listFiles(directory, true);
      while (all.hasNext()) {
        files.add(all.next());
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return files;
  }

  /** Returns the store files below a directory, without references and unfinished files. */
  List<FileStatus> storeFiles(Path directory) throws IOException {
    return filesBelow(directory).stream()
        .filter(file -> StoreFileInfo.isHFile(file.getPath()))
        .filter(file -> !file.getPath().toString().contains("/.tmp/"))
        .filter(file -> !file.getPath().toString().contains("/recovered.edits/"))
        .toList();
  }

  Set<StorageType> types(FileStatus file) throws IOException {
    return types(fs, file);
  }

  /** Types of volumes that have its blocks. */
  static Set<StorageType> types(DistributedFileSystem fs, FileStatus file) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (LocatedBlock block :
        fs.getClient()
            .getLocatedBlocks(file.getPath().toUri().getPath(), 0, file.getLen())
            .getLocatedBlocks()) {
      types.addAll(List.of(block.getStorageTypes()));
    }
    return types;
  }

  Set<StorageType> typesBelow(Path directory) throws IOException {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (FileStatus file : storeFiles(directory)) {
      types.addAll(types(file));
    }
    return types;
  }

  /** Files of a table as {@link #threeTiers} that are elsewhere than they should be, and where. */
  List<String> misplaced(TableName name) throws IOException {
    List<String> misplaced = new ArrayList<>();
    try {
      for (FileStatus file : storeFiles(directory(name))) {
        if (file.getLen() == 0) {
          misplaced.add("a file was not begun: " + file.getPath());
        } else {
          check(file, isCompacted(file.getPath()) ? StorageType.DISK : StorageType.SSD, misplaced);
        }
      }
      for (FileStatus file : storeFiles(archive(name))) {
        check(file, StorageType.ARCHIVE, misplaced);
      }
    } catch (FileNotFoundException e) {
      misplaced.add("a file is on its way: " + e.getMessage());
    } catch (CorruptHFileException e) {
      misplaced.add("a file was not written to its end: " + e.getMessage());
    }
    return misplaced;
  }

  private void check(FileStatus file, StorageType wanted, List<String> misplaced)
      throws IOException {
    Set<StorageType> types = types(file);
    if (!types.equals(EnumSet.of(wanted))) {
      misplaced.add(file.getPath() + " is on " + types + ", not " + wanted);
    }
  }

  private boolean isCompacted(Path file) throws IOException {
    try (HFile.Reader reader = HFile.createReader(fs, file, conf)) {
      byte[] inputs = reader.getHFileInfo().get(HStoreFile.COMPACTION_EVENT_KEY);
      return !ProtobufUtil.toCompactedStoreFiles(inputs).isEmpty();
    }
  }

  @Override
  public void close() throws IOException {
    try (LocalCluster closing = processes) {
      admin.close();
      connection.close();
      fs.close();
    }
  }
}
