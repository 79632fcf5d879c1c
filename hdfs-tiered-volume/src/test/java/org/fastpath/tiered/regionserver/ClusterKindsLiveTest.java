package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.tiered.datanode.LatencyAwareVolumeChoosingPolicy;
import org.fastpath.tiered.datanode.TieredDatasetFactory;
import org.fastpath.tiered.datanode.move.FileMover;
import org.fastpath.tiered.datanode.move.MoveState;
import org.fastpath.tiered.datanode.move.MoveStatus;
import org.fastpath.tiered.datanode.move.MoveTicket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Volumes, rules and moves on HDFS as some clusters have it: an encryption zone, viewfs, DISK and
 * ARCHIVE on one mount, quotas by storage type. Its three DataNodes are on one host.
 */
class ClusterKindsLiveTest {
  private static final String TESTED = "target/classes";
  private static final String KEY = "key";
  private static final String KEY_PROVIDER = "hadoop.security.key.provider.path";
  private static final int DATA_NODES = 3;
  private static final int BYTES = 1 << 20;

  private static LocalCluster cluster;
  private static Configuration conf;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start(@TempDir Path keys) throws Exception {
    String provider = "jceks://file" + keys.resolve("keys.jceks");
    createKey(provider);
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .dataNodes(DATA_NODES)
            .volumes("[DISK]", "[SSD]", "[ARCHIVE]")
            .conf("dfs.replication", "2")
            .conf("dfs.blocksize", Integer.toString(BYTES))
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .conf("dfs.datanode.same-disk-tiering.enabled", "true")
            .conf("dfs.datanode.reserve-for-archive.default.percentage", "0.5")
            .conf(KEY_PROVIDER, provider)
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .quickStart()
                        .prependToClasspath(Path.of(TESTED))
                        .conf("dfs.heartbeat.interval", "100ms")
                        .conf(
                            "dfs.datanode.fsdataset.volume.choosing.policy",
                            LatencyAwareVolumeChoosingPolicy.class.getName())
                        .conf(
                            "dfs.datanode.fsdataset.factory", TieredDatasetFactory.class.getName()))
            .start();
    conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    conf.set(KEY_PROVIDER, provider);
    conf.set("dfs.fastpath.move.poll-millis", "50");
    conf.set("dfs.fastpath.move.backoff-millis", "50");
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  private static void createKey(String uri) throws Exception {
    Configuration keys = new Configuration();
    KeyProvider provider = KeyProviderFactory.get(URI.create(uri), keys);
    provider.createKey(KEY, KeyProvider.options(keys));
    provider.flush();
    provider.close();
  }

  @AfterAll
  static void stop() throws IOException {
    try (LocalCluster closing = cluster) {
      fs.close();
    }
  }

  /** Writes a file as a store's writer does that has a rule. */
  private static org.apache.hadoop.fs.Path write(FileSystem files, String name, String policy)
      throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(name);
    try (FSDataOutputStream out =
        placing(files, policy)
            .create(file, FsPermission.getFileDefault(), true, BYTES, (short) 2, BYTES, null)) {
      out.write(bytes());
    }
    return file;
  }

  /** HBase passes the permission of files with {@code hbase.data.umask.enable}. */
  @Test
  void aDirectoryDoesNotGetThePermissionOfFiles() throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/data/.tmp/f");
    placing(fs, "HOT").mkdirs(directory, new FsPermission("640"));
    assertThat(fs.getFileStatus(directory).getPermission()).isEqualTo(new FsPermission("755"));
  }

  private static PlacingFileSystem placing(FileSystem files, String policy) {
    return new PlacingFileSystem(
        new HFileSystem(files), conf, () -> null, Optional.of(policy), false);
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  private static void requireContents(FileSystem files, org.apache.hadoop.fs.Path file)
      throws IOException {
    try (InputStream in = files.open(file)) {
      assertThat(Arrays.equals(in.readAllBytes(), bytes())).isTrue();
    }
  }

  private static void requireOn(StorageType type, String file) throws Exception {
    Eventually.holds(
        () -> {
          HdfsLocatedFileStatus status = fs.getClient().getLocatedFileInfo(file, false);
          LocatedBlock block = status.getLocatedBlocks().get(0);
          assertThat(block.getStorageTypes()).hasSize(2).containsOnly(type);
        });
  }

  private static void move(String file, String policy) throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
    fs.setStoragePolicy(path, policy);
    try (FileMover mover = FileMover.open(conf)) {
      mover.start();
      MoveTicket ticket = mover.submit(path);
      Eventually.holds(
          () ->
              assertThat(mover.status(List.of(ticket)))
                  .extracting(MoveStatus::state)
                  .containsExactly(MoveState.DONE));
    }
  }

  @Test
  void filesOfAnEncryptionZoneArePlacedAndMovedAsTheyAre() throws Exception {
    org.apache.hadoop.fs.Path zone = new org.apache.hadoop.fs.Path("/zone");
    fs.mkdirs(zone);
    fs.createEncryptionZone(zone, KEY);
    org.apache.hadoop.fs.Path file = write(fs, "/zone/file", "ALL_SSD");
    requireOn(StorageType.SSD, "/zone/file");
    try (InputStream raw = fs.open(new org.apache.hadoop.fs.Path("/.reserved/raw/zone/file"))) {
      assertThat(Arrays.equals(raw.readAllBytes(), bytes())).as("it is encrypted").isFalse();
    }
    move("/zone/file", "HOT");
    requireOn(StorageType.DISK, "/zone/file");
    requireContents(fs, file);
  }

  @Test
  void filesAreWrittenToTheirTierThroughViewfs() throws Exception {
    Configuration view = new Configuration(conf);
    view.set("fs.viewfs.mounttable.all.link./mounted", fs.getUri() + "/behind");
    FileSystem.setDefaultUri(view, "viewfs://all/");
    fs.mkdirs(new org.apache.hadoop.fs.Path("/behind"));
    try (FileSystem files = FileSystem.newInstance(view)) {
      org.apache.hadoop.fs.Path file = write(files, "/mounted/file", "ALL_SSD");
      requireOn(StorageType.SSD, "/behind/file");
      requireContents(files, file);
    }
    assertThatThrownBy(() -> FileMover.open(view))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("fs.defaultFS is viewfs://all")
        .hasMessageEndingWith("allowed is hdfs:");
  }

  @Test
  void diskAndArchiveOfOneMountMoveWithoutACopy() throws Exception {
    assumeThat(linkedReplicas(0)).as("HDFS-15683 is in Hadoop 3.4").isPresent();
    org.apache.hadoop.fs.Path file = write(fs, "/mount", "HOT");
    requireOn(StorageType.DISK, "/mount");
    long links = linkedReplicas();
    move("/mount", "COLD");
    requireOn(StorageType.ARCHIVE, "/mount");
    requireContents(fs, file);
    // JMX shows counts that are some seconds old.
    Eventually.holds(() -> assertThat(linkedReplicas() - links).isEqualTo(2));
    write(fs, "/archived", "COLD");
    requireOn(StorageType.ARCHIVE, "/archived");
  }

  private static long linkedReplicas() throws IOException {
    long links = 0;
    for (int i = 0; i < DATA_NODES; i++) {
      links += linkedReplicas(i).map(Long::parseLong).orElseThrow();
    }
    return links;
  }

  private static Optional<String> linkedReplicas(int dataNode) throws IOException {
    return cluster
        .daemon(Role.DATANODE, dataNode)
        .jmxAttribute(
            "Hadoop:service=DataNode,name=DataNodeActivity-*", "ReplaceBlockOpOnSameMount");
  }

  /** HDFS counts a file by its policy when it is written, and asks no quota when it is moved. */
  @Test
  void aQuotaOfATypeRefusesWritesAndNoMoves() throws Exception {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/quota");
    fs.mkdirs(directory);
    fs.setQuotaByStorageType(directory, StorageType.SSD, 2L * BYTES);
    write(fs, "/quota/within", "ALL_SSD");
    requireOn(StorageType.SSD, "/quota/within");
    assertThatThrownBy(() -> write(fs, "/quota/beyond", "ALL_SSD"))
        .isInstanceOf(QuotaByStorageTypeExceededException.class)
        .hasMessageContaining("Quota by storage type : SSD on path : /quota is exceeded");
    org.apache.hadoop.fs.Path file = write(fs, "/quota/moved", "HOT");
    move("/quota/moved", "ALL_SSD");
    requireOn(StorageType.SSD, "/quota/moved");
    requireContents(fs, file);
  }
}
