package org.fastpath.zcr.warmup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.fastpath.zcr.ZeroCopyFileSystem;
import org.fastpath.zcr.hbase.MappedBlocks;

/**
 * A region with a file of known rows, open in a RegionServer that does not serve it. No client
 * knows it. The server's own classes read it, through its block cache. If the server uses mappings,
 * the file is in HDFS and mapped; otherwise it is in a temporary directory of this machine.
 * Thread-safe. Closing it removes the file and its cached blocks.
 *
 * <p>Of the coprocessors of all regions it has only ours, so that others do not see a table that
 * does not exist.
 */
final class WarmUpRegion implements AutoCloseable {
  static final int ROWS = 10_000;
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int COLUMNS = 3;
  private static final int VALUE_BYTES = 300;
  private static final long TIMESTAMP = 1;
  private static final TableName TABLE = TableName.valueOf("fastpath_warm_up");
  private static final String OURS = "org.fastpath.";
  private static final String DIRECTORY = "hbase-fastpath-warm-up";

  private final FileSystem fs;
  private final Path root;
  private final Closeable owned;
  private HRegion region;

  /**
   * Makes a region that is not open yet.
   *
   * @param owned closed at the end
   */
  private WarmUpRegion(FileSystem fs, Path root, Closeable owned) {
    this.fs = fs;
    this.root = root;
    this.owned = owned;
  }

  /** Returns whether a RegionServer with this configuration uses mappings. */
  static boolean maps(Configuration serverConf) throws IOException {
    return CommonFSUtils.getRootDir(serverConf).getFileSystem(serverConf)
        instanceof ZeroCopyFileSystem;
  }

  /** Makes the file in HDFS and opens the region, whose blocks are mapped. */
  static WarmUpRegion openMapped(RegionServerServices server, Configuration serverConf)
      throws IOException {
    ServerName name = server.getServerName();
    Path directory = new Path(CommonFSUtils.getRootDir(serverConf), DIRECTORY);
    Path root = new Path(directory, name.getHostname() + ',' + name.getPort());
    return inHdfs(serverConf, root).open(conf(serverConf), server);
  }

  /**
   * Makes the file and opens the region, whose blocks are HBase's, like those of the meta table.
   *
   * @param server the region's server, or null
   * @param serverConf the server's configuration
   */
  static WarmUpRegion openCached(RegionServerServices server, Configuration serverConf)
      throws IOException {
    Configuration conf = conf(serverConf);
    conf.setBoolean(MappedBlocks.ENABLED, false);
    return local(serverConf).open(conf, server);
  }

  private static WarmUpRegion local(Configuration conf) throws IOException {
    Path root = new Path(Files.createTempDirectory(DIRECTORY).toUri());
    return new WarmUpRegion(root.getFileSystem(conf), root, () -> {});
  }

  /**
   * Makes the region in HDFS with a separate file system, which maps blocks outside of locked
   * memory. Removes the files of a killed server of the same name.
   */
  private static WarmUpRegion inHdfs(Configuration server, Path root) throws IOException {
    Configuration conf = new Configuration(server);
    CommonFSUtils.setFsDefault(conf, root);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.setBoolean("dfs.fastpath.zcr.map-uncached", true);
    HFileSystem fs = new HFileSystem(conf, true);
    try {
      fs.delete(root, true);
    } catch (IOException e) {
      fs.close();
      throw e;
    }
    return new WarmUpRegion(fs, root, fs);
  }

  private static Configuration conf(Configuration server) {
    Configuration conf = new Configuration(server);
    conf.unset(CommonFSUtils.HBASE_WAL_DIR);
    keepOurs(conf, CoprocessorHost.REGION_COPROCESSOR_CONF_KEY);
    keepOurs(conf, CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY);
    conf.setBoolean(MappedBlocks.UNLOCKED, true);
    conf.setBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, true);
    // A region of a serving server would have these: memory for writes, and metrics.
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.regionserver.enable.table.latencies", false);
    return conf;
  }

  private static void keepOurs(Configuration conf, String key) {
    String ours =
        Arrays.stream(conf.getTrimmedStrings(key))
            .filter(name -> name.startsWith(OURS))
            .collect(Collectors.joining(","));
    conf.set(key, ours);
  }

  private WarmUpRegion open(Configuration conf, RegionServerServices server) throws IOException {
    boolean done = false;
    try {
      conf.set(HConstants.HBASE_DIR, root.toString());
      ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.of(FAMILY);
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(family)
              .setReadOnly(true)
              .build();
      RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
      HRegion.createRegionDir(conf, info, root);
      Path directory = new Path(CommonFSUtils.getTableDir(root, TABLE), info.getEncodedName());
      write(conf, family, new Path(directory, family.getNameAsString()));
      region = HRegion.openHRegion(conf, fs, root, info, table, null, server, null);
      done = true;
      return this;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  private void write(Configuration conf, ColumnFamilyDescriptor family, Path directory)
      throws IOException {
    StoreFileWriter writer =
        new StoreFileWriter.Builder(conf, new CacheConfig(conf), fs)
            .withOutputDir(directory)
            .withBloomType(family.getBloomFilterType())
            .withMaxKeyCount(ROWS)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(family.getBlocksize())
                    .withIncludesMvcc(true)
                    .build())
            .build();
    try {
      Random random = new Random(ROWS);
      byte[] value = new byte[VALUE_BYTES];
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
          random.nextBytes(value);
          writer.append(new KeyValue(row(row), FAMILY, column(column), TIMESTAMP, value));
        }
      }
      writer.appendMetadata(1, false);
    } finally {
      writer.close();
    }
  }

  static byte[] row(int number) {
    return Bytes.toBytes(number);
  }

  static byte[] column(int number) {
    return new byte[] {(byte) ('a' + number % COLUMNS)};
  }

  HRegion region() {
    return region;
  }

  byte[] name() {
    return region.getRegionInfo().getRegionName();
  }

  @Override
  public void close() throws IOException {
    try (owned) {
      try {
        if (region != null) {
          region.close();
        }
      } finally {
        fs.delete(root, true);
      }
    }
  }
}
