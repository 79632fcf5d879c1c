package org.fastpath.bench.tiered;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TimedDatasetFactory;
import org.fastpath.bench.JmxBean;
import org.fastpath.bench.Layout;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;
import org.fastpath.tiered.datanode.DatasetOperation;
import org.fastpath.tiered.datanode.TimedLocks;

/**
 * HDFS with a DataNode that is measured, two SSDs and two disks whose speed is a model, and one
 * that copies replicas to it. Not thread-safe, but for what writes.
 */
public final class LockTestbed implements AutoCloseable {
  private static final int MEASURED = 0;
  private static final int OTHER = 1;
  private static final List<String> VOLUMES = List.of("[SSD]", "[SSD]", "[DISK]", "[DISK]");
  private static final int SSDS = 2;

  /** What the story's disks do. */
  private static final VolumeSpeed DISK =
      VolumeSpeed.bytesPerSecond(127e6).latency(Duration.ofNanos(6_700_000));

  private final LocalCluster cluster;
  private final DistributedFileSystem files;
  private final int blockBytes;

  /** Where files go. */
  enum Tier {
    SSD("ALL_SSD"),
    DISK("HOT");

    private final String policy;

    Tier(String policy) {
      this.policy = policy;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private LockTestbed(LocalCluster cluster, DistributedFileSystem files, int blockBytes) {
    this.cluster = cluster;
    this.files = files;
    this.blockBytes = blockBytes;
  }

  /**
   * Starts it.
   *
   * @param directory its data, logs and configuration
   * @param blockBytes the size of HDFS's blocks
   */
  public static LockTestbed start(Path directory, int blockBytes, Consumer<String> progress)
      throws IOException {
    LocalCluster cluster =
        LocalCluster.builder()
            .quickClose()
            .directory(directory)
            .jars(Layout.here().libDirectory())
            .hbase(false)
            .dataNodes(2)
            .volumes(VOLUMES.toArray(String[]::new))
            .slowVolume(0, VolumeSpeed.unlimited())
            .conf("dfs.blocksize", Integer.toString(blockBytes))
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            // Replicas that are asked for are copied within a second or two.
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .conf("dfs.heartbeat.interval", "1")
            .onProgress(progress)
            .start();
    try {
      Configuration client = new HdfsConfiguration();
      cluster.clientConfiguration().forEach(client::set);
      return new LockTestbed(
          cluster, (DistributedFileSystem) FileSystem.newInstance(client), blockBytes);
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts the DataNode again, with other locks. */
  void use(TimedLocks.Kind kind) {
    Layout layout = Layout.here();
    measured()
        .restart(
            options ->
                options
                    .prependToClasspath(List.of(layout.jar(Layout.TIERED_JAR), layout.ownJar()))
                    .conf("dfs.datanode.fsdataset.factory", TimedDatasetFactory.class.getName())
                    .conf(TimedLocks.KIND, kind.name()));
  }

  private Daemon measured() {
    return cluster.daemon(Role.DATANODE, MEASURED);
  }

  /** Makes the disks so many times as slow as they are. */
  void slowDisks(double times) {
    for (int disk = SSDS; disk < VOLUMES.size(); disk++) {
      measured().slowVolume(disk, DISK.slower(times));
    }
  }

  /** Makes them as fast as the machine is. */
  void recover() {
    for (int disk = SSDS; disk < VOLUMES.size(); disk++) {
      measured().slowVolume(disk, VolumeSpeed.unlimited());
    }
  }

  /** A new directory for files of a tier. */
  org.apache.hadoop.fs.Path directory(String name, Tier tier) throws IOException {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + name, tier.label());
    files.mkdirs(directory);
    files.setStoragePolicy(directory, tier.policy);
    return directory;
  }

  /** A file that is written to the DataNode that is measured. */
  OutputStream create(org.apache.hadoop.fs.Path file) throws IOException {
    return createOn(MEASURED, file);
  }

  /** Copies a replica to that DataNode, some time after this returns. */
  void copy(org.apache.hadoop.fs.Path file, byte[] content) throws IOException {
    try (OutputStream out = createOn(OTHER, file)) {
      out.write(content);
    }
    files.setReplication(file, (short) 2);
  }

  private OutputStream createOn(int dataNode, org.apache.hadoop.fs.Path file) throws IOException {
    InetSocketAddress favored =
        InetSocketAddress.createUnresolved(
            "127.0.0.1", cluster.daemon(Role.DATANODE, dataNode).port());
    return files.create(
        file,
        FsPermission.getFileDefault(),
        false,
        blockBytes,
        (short) 1,
        blockBytes,
        null,
        new InetSocketAddress[] {favored});
  }

  void delete(String name) throws IOException {
    files.delete(new org.apache.hadoop.fs.Path("/" + name), true);
  }

  /** What the DataNode says of an operation since it was started. */
  JsonNode times(DatasetOperation operation) throws IOException {
    return JmxBean.of(measured(), operation.bean());
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      files.close();
    }
  }
}
