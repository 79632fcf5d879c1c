package org.fastpath.bench.tiered;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.fastpath.bench.Layout;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;

/** HDFS with one DataNode of eight volumes whose speed is a model. Not thread-safe. */
public final class VolumeTestbed implements AutoCloseable {
  private static final String VERSION = "current/VERSION";
  private static final String ID = "storageID=";

  private final LocalCluster cluster;
  private final FileSystem files;
  private final VolumeSpeed full;

  private VolumeTestbed(LocalCluster cluster, FileSystem files, VolumeSpeed full) {
    this.cluster = cluster;
    this.files = files;
    this.full = full;
  }

  /**
   * Starts it.
   *
   * @param directory its data, logs and configuration
   * @param volumes the storage type of each, as {@code [SSD]}
   * @param full the speed of a healthy volume
   * @param blockBytes the size of HDFS's blocks
   */
  public static VolumeTestbed start(
      java.nio.file.Path directory,
      List<String> volumes,
      VolumeSpeed full,
      int blockBytes,
      Consumer<String> progress)
      throws IOException {
    ClusterBuilder builder =
        LocalCluster.builder()
            .quickClose()
            .directory(directory)
            .jars(Layout.here().libDirectory())
            .hbase(false)
            .conf("dfs.blocksize", Integer.toString(blockBytes))
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            // Its log is on the machine's own disk, which is not what is measured.
            .conf("dfs.namenode.edits.noeditlogchannelflush", "true")
            .onProgress(progress);
    for (int i = 0; i < VolumeScenario.VOLUMES; i++) {
      builder.slowVolume(i, full);
    }
    LocalCluster cluster = builder.volumes(volumes.toArray(String[]::new)).start();
    try {
      Configuration client = new Configuration();
      cluster.clientConfiguration().forEach(client::set);
      return new VolumeTestbed(cluster, FileSystem.newInstance(client), full);
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** A new directory whose files go to a tier. */
  Path directory(String name, Tier tier) throws IOException {
    Path directory = new Path(name);
    files.mkdirs(directory);
    files.setStoragePolicy(directory, tier.policy());
    return directory;
  }

  /** The client's view. */
  FileSystem files() {
    return files;
  }

  /** Starts the DataNode again, with another policy. */
  void use(PolicySide side) {
    dataNode().restart(side.dataNode(Layout.here()));
  }

  /** Gives the volumes the speeds of a scenario. */
  void apply(VolumeScenario scenario) {
    for (int i = 0; i < VolumeScenario.VOLUMES; i++) {
      dataNode().slowVolume(i, scenario.speed(i, full));
    }
  }

  private Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  /** The bytes on each volume of the files in a directory. */
  long[] bytesByVolume(Path directory) throws IOException {
    Map<String, Integer> volumes = volumesById();
    long[] bytes = new long[VolumeScenario.VOLUMES];
    RemoteIterator<LocatedFileStatus> listing = files.listLocatedStatus(directory);
    while (listing.hasNext()) {
      for (var block : listing.next().getBlockLocations()) {
        for (String id : block.getStorageIds()) {
          bytes[volumes.get(id)] += block.getLength();
        }
      }
    }
    return bytes;
  }

  private Map<String, Integer> volumesById() throws IOException {
    Map<String, Integer> volumes = new TreeMap<>();
    List<java.nio.file.Path> directories = dataNode().dataDirectories();
    for (int i = 0; i < directories.size(); i++) {
      for (String line : Files.readAllLines(directories.get(i).resolve(VERSION))) {
        if (line.startsWith(ID)) {
          volumes.put(line.substring(ID.length()), i);
        }
      }
    }
    return volumes;
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      files.close();
    }
  }
}
