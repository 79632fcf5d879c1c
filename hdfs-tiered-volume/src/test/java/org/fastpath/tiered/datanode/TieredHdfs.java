package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;

/**
 * HDFS whose DataNodes have volumes of three types and one volume choosing policy each. Files have
 * one block each and are read back at the end. Thread-safe.
 */
final class TieredHdfs implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;

  /** The volumes of type DISK; then come those of the others. */
  static final int DISKS = 4;

  private static final List<String> VOLUMES =
      List.of("[DISK]", "[DISK]", "[DISK]", "[DISK]", "[SSD]", "[SSD]", "[ARCHIVE]", "[ARCHIVE]");

  /** An archive with room for a few blocks, beside one as large as the file system. */
  static final int SMALL_ARCHIVE = 7;

  static final int SMALL_BLOCKS = 8;

  private static final String RESERVED = "dfs.datanode.du.reserved.";
  private static final String DIRECTORIES = "dfs.datanode.data.dir";
  private static final java.nio.file.Path TESTED = java.nio.file.Path.of("target", "classes");

  private static final String DATANODE_INFO = "Hadoop:service=DataNode,name=DataNodeInfo";

  private final LocalCluster cluster;
  private final DistributedFileSystem files;
  private final AtomicInteger created = new AtomicInteger();
  private final ConcurrentLinkedQueue<Path> written = new ConcurrentLinkedQueue<>();

  /** The place of files: a directory whose policy names the storage type. */
  enum Tier {
    DISK("/disk", "HOT"),
    SSD("/ssd", "ALL_SSD"),
    ARCHIVE("/archive", "COLD");

    private final Path directory;
    private final String policy;

    Tier(String directory, String policy) {
      this.directory = new Path(directory);
      this.policy = policy;
    }
  }

  /**
   * Starts it.
   *
   * @param directory of the cluster
   * @param policies the class of each DataNode
   */
  TieredHdfs(java.nio.file.Path directory, String... policies) throws IOException {
    var builder =
        LocalCluster.builder()
            .directory(directory)
            .hbase(false)
            .dataNodes(policies.length)
            .volumes(VOLUMES.toArray(String[]::new))
            .quickClose()
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            .conf(VolumeChoiceOptions.ADDITIONAL_BYTES, "0")
            // Slow nodes are measured again soon and often.
            .conf(VolumeChoiceOptions.PROBE_MILLIS, "200")
            .conf(VolumeChoiceOptions.MAX_PROBE_MILLIS, "400")
            .conf(VolumeChoiceOptions.CHOICES_PER_PROBE, "32")
            .conf("dfs.datanode.failed.volumes.tolerated", "4")
            .conf("dfs.datanode.fsdataset.factory", TieredDatasetFactory.class.getName())
            // As long as a test may take.
            .conf(TieredDatasetFactory.PATIENCE_MILLIS, "600000")
            .conf("dfs.datanode.sync.behind.writes", "true")
            .conf("dfs.datanode.drop.cache.behind.reads", "true")
            .conf(KernelAdvice.WRITE_BEHIND_TYPES, "DISK")
            .conf(KernelAdvice.DROP_BEHIND_TYPES, "DISK,ARCHIVE")
            // Missing replicas are noticed soon.
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .daemon(Role.DATANODE, options -> options.quickStart().prependToClasspath(TESTED));
    IntStream.range(0, VOLUMES.size())
        .forEach(volume -> builder.slowVolume(volume, VolumeSpeed.unlimited()));
    for (int i = 0; i < policies.length; i++) {
      String policy = policies[i];
      java.nio.file.Path small =
          directory.resolve("data/datanode-" + i + "/volume-" + SMALL_ARCHIVE);
      String reserved = Long.toString(allBut((long) SMALL_BLOCKS * BLOCK_BYTES, directory));
      builder.daemon(
          Role.DATANODE,
          i,
          options ->
              options
                  .conf("dfs.datanode.fsdataset.volume.choosing.policy", policy)
                  .conf(RESERVED + small, reserved));
    }
    cluster = builder.start();
    Configuration conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    files = (DistributedFileSystem) FileSystem.newInstance(conf);
    for (Tier tier : Tier.values()) {
      files.mkdirs(tier.directory);
      files.setStoragePolicy(tier.directory, tier.policy);
    }
  }

  /** Returns the reserved bytes that leave so much of the file system to HDFS. */
  private static long allBut(long bytes, java.nio.file.Path directory) {
    java.io.File file = directory.toFile();
    long forRoot = file.getFreeSpace() - file.getUsableSpace();
    return file.getTotalSpace() - forRoot - bytes;
  }

  Daemon dataNode(int index) {
    return cluster.daemon(Role.DATANODE, index);
  }

  /** Gives back the volumes' speed. */
  void recover() {
    for (Daemon daemon : dataNodes()) {
      IntStream.range(0, VOLUMES.size())
          .forEach(volume -> daemon.slowVolume(volume, VolumeSpeed.unlimited()));
    }
  }

  private List<Daemon> dataNodes() {
    return cluster.daemons().stream().filter(daemon -> daemon.role() == Role.DATANODE).toList();
  }

  /** Writes files, each with one replica on a DataNode; returns the volume of each. */
  List<Integer> write(int dataNode, Tier tier, int threads, int count) {
    return write(dataNode, tier, threads, count, 1).stream()
        .map(file -> volumeOf(file, dataNode))
        .toList();
  }

  /** Writes files, with that many replicas, the first one on a DataNode. */
  List<Path> write(int dataNode, Tier tier, int threads, int count, int replicas) {
    ExecutorService writers = Executors.newFixedThreadPool(threads);
    try {
      List<CompletableFuture<Path>> writes =
          IntStream.range(0, count)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(() -> write(dataNode, tier, replicas), writers))
              .toList();
      return writes.stream().map(CompletableFuture::join).toList();
    } finally {
      writers.shutdownNow();
    }
  }

  private Path write(int dataNode, Tier tier, int replicas) {
    int number = created.incrementAndGet();
    Path file = new Path(tier.directory, Integer.toString(number));
    try (OutputStream out = create(file, dataNode, replicas, BLOCK_BYTES)) {
      out.write(content(number));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    written.add(file);
    return file;
  }

  private OutputStream create(Path file, int dataNode, int replicas, long blockBytes)
      throws IOException {
    InetSocketAddress favored =
        InetSocketAddress.createUnresolved("127.0.0.1", dataNode(dataNode).port());
    return files.create(
        file,
        FsPermission.getFileDefault(),
        false,
        BLOCK_BYTES,
        (short) replicas,
        blockBytes,
        null,
        new InetSocketAddress[] {favored});
  }

  /** Writes a file of one block of that many bytes, of 0, and reads it through the DataNode. */
  void writeAndRead(int dataNode, Tier tier, int bytes) throws IOException {
    Path file = new Path(tier.directory, Integer.toString(created.incrementAndGet()));
    try (OutputStream out = create(file, dataNode, 1, bytes)) {
      out.write(new byte[bytes]);
    }
    try (InputStream in = files.open(file)) {
      assertThat(in.readAllBytes()).hasSize(bytes).containsOnly(0);
    }
  }

  /** Asks for so many replicas of a file. */
  void replicate(Path file, int replicas) throws IOException {
    files.setReplication(file, (short) replicas);
  }

  private static byte[] content(int number) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  /** Returns the files that were written since the last call of {@link #verify}. */
  int written() {
    return written.size();
  }

  /** Reads back all that was written since the last call. */
  void verify() throws IOException {
    for (Path file = written.poll(); file != null; file = written.poll()) {
      try (InputStream in = files.open(file)) {
        assertThat(in.readAllBytes())
            .as("%s", file)
            .isEqualTo(content(Integer.parseInt(file.getName())));
      }
    }
  }

  private int volumeOf(Path file, int dataNode) {
    try {
      LocatedBlock block = files.getClient().getLocatedBlocks(file.toUri().getPath(), 0, 1).get(0);
      DatanodeInfoWithStorage replica = block.getLocations()[0];
      assertThat(replica.getXferPort()).isEqualTo(dataNode(dataNode).port());
      return storageIds(dataNode).indexOf(replica.getStorageID());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> storageIds(int dataNode) throws IOException {
    List<String> ids = new ArrayList<>();
    for (java.nio.file.Path volume : dataNode(dataNode).dataDirectories()) {
      ids.add(
          Files.readAllLines(volume.resolve("current/VERSION")).stream()
              .filter(line -> line.startsWith("storageID="))
              .map(line -> line.substring("storageID=".length()))
              .findAny()
              .orElseThrow());
    }
    return ids;
  }

  /** Has a DataNode give up a volume while it runs; returns when it has. */
  void removeVolume(int dataNode, int volume) throws Exception {
    reconfigure(dataNode, without(dataNode, volume));
    Eventually.holds(() -> assertThat(volumesInUse(dataNode)).hasSize(VOLUMES.size() - 1));
  }

  /** Has a DataNode use all its volumes again. */
  void restoreVolumes(int dataNode) throws Exception {
    reconfigure(dataNode, without(dataNode, -1));
    Eventually.holds(() -> assertThat(volumesInUse(dataNode)).hasSize(VOLUMES.size()));
  }

  private String without(int dataNode, int removed) {
    List<java.nio.file.Path> paths = dataNode(dataNode).dataDirectories();
    return String.join(
        ",",
        IntStream.range(0, paths.size())
            .filter(i -> i != removed)
            .mapToObj(i -> VOLUMES.get(i) + paths.get(i).toUri())
            .toList());
  }

  private void reconfigure(int dataNode, String directories) throws Exception {
    java.nio.file.Path site = dataNode(dataNode).confDir().resolve("hdfs-site.xml");
    Files.writeString(
        site,
        Files.readString(site)
            .replaceFirst("(<name>" + DIRECTORIES + "</name><value>)[^<]*", "$1" + directories));
    String address = "localhost:" + registered(dataNode).getIpcPort();
    assertThat(
            new DFSAdmin(files.getConf())
                .run(new String[] {"-reconfig", "datanode", address, "start"}))
        .isZero();
  }

  private DatanodeInfo registered(int dataNode) throws IOException {
    return List.of(files.getDataNodeStats()).stream()
        .filter(node -> node.getXferPort() == dataNode(dataNode).port())
        .findAny()
        .orElseThrow();
  }

  private List<java.nio.file.Path> volumesInUse(int dataNode) throws IOException {
    String info = dataNode(dataNode).jmxAttribute(DATANODE_INFO, "VolumeInfo").orElse("");
    return dataNode(dataNode).dataDirectories().stream()
        .filter(volume -> info.contains(volume.toString()))
        .toList();
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      files.close();
    }
  }
}
