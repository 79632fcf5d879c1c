package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** HDFS whose DataNodes lock memory, with small blocks, and files of known bytes. */
public final class TestHdfs implements AutoCloseable {
  public static final int BLOCK_BYTES = 1 << 20;
  private static final Path TESTED = Path.of("target", "classes");
  private static final Path TESTS = Path.of("target", "test-classes");
  private static final String POOL = "pool";
  private static final String VOLUMES = "dfs.datanode.data.dir";

  private final LocalCluster cluster;
  private final DistributedFileSystem stock;
  private final int replicas;

  /** One DataNode with one volume. */
  public TestHdfs() throws IOException {
    this(1, "[DISK]");
  }

  private TestHdfs(int dataNodes, String... volumes) throws IOException {
    replicas = dataNodes;
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .shortCircuit(true)
            .dataNodes(dataNodes)
            .volumes(volumes)
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            .conf("dfs.namenode.heartbeat.recheck-interval", "1000")
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .lockedMemory(256L << 20)
            .daemon(Role.NAMENODE, DaemonOptions::quickStart)
            .daemon(Role.DATANODE, TestHdfs::hurry)
            .start();
    stock = (DistributedFileSystem) FileSystem.newInstance(conf());
    stock.addCachePool(new CachePoolInfo(POOL));
  }

  /** Two DataNodes of two volumes, each with a replica of each block. */
  public static TestHdfs withTwoReplicas() throws IOException {
    return new TestHdfs(2, "[DISK]", "[DISK]");
  }

  /** DataNodes receive and run the NameNode's commands at once. */
  private static void hurry(DaemonOptions dataNode) {
    dataNode
        .quickStart()
        .conf("dfs.heartbeat.interval", "100ms")
        .conf("dfs.datanode.cache.revocation.polling.ms", "50");
  }

  /**
   * Returns a client's configuration. Hadoop's own caches of replicas keep only used entries, so
   * every remaining entry at the end is a leak. A failed DataNode is retried after a second. They
   * are of a context of their own, since the first client of a context decides for all.
   */
  public Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    conf.set("dfs.client.context", "zero-copy");
    conf.setInt("dfs.client.mmap.cache.size", 0);
    conf.setInt(ZeroCopyOptions.GRACE_MILLIS, 100);
    conf.setInt("dfs.client.read.shortcircuit.streams.cache.size", 0);
    conf.setInt("dfs.domain.socket.disable.interval.seconds", 1);
    conf.setInt("dfs.client.retry.window.base", 10);
    conf.setInt("dfs.client.max.block.acquire.failures", 1);
    return conf;
  }

  /** Our file system with its keys. */
  ZeroCopyFileSystem open(String... keysAndValues) throws IOException {
    Configuration conf = conf();
    conf.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return (ZeroCopyFileSystem) FileSystem.newInstance(conf);
  }

  public DistributedFileSystem stock() {
    return stock;
  }

  Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  List<Daemon> dataNodes() {
    return cluster.daemons().stream().filter(daemon -> daemon.role() == Role.DATANODE).toList();
  }

  /** Returns the DataNode that has a replica's file. */
  public Daemon owner(Path replica) {
    return dataNodes().stream()
        .filter(node -> node.dataDirectories().stream().anyMatch(replica::startsWith))
        .findAny()
        .orElseThrow();
  }

  public Daemon nameNode() {
    return cluster.daemon(Role.NAMENODE, 0);
  }

  /** Starts it again and waits until clients have noticed: the first call of each fails. */
  public void restartNameNode() throws Exception {
    nameNode().restart();
    Eventually.holds(
        () ->
            assertThatCode(() -> stock.getFileStatus(new org.apache.hadoop.fs.Path("/")))
                .doesNotThrowAnyException());
  }

  /** Runs a program of the tests in a separate process and returns its output. */
  List<String> run(Class<?> program, Consumer<DaemonOptions> options, Object... args) {
    List<String> lines = new ArrayList<>();
    int exitCode =
        cluster.runClient(
            program.getName(),
            Arrays.stream(args).map(Object::toString).toList(),
            client -> {
              client.quickStart().prependToClasspath(TESTED, TESTS);
              options.accept(client);
            },
            lines::add);
    assertThat(exitCode).as(() -> String.join("\n", lines)).isZero();
    return lines;
  }

  /** Writes a file of these bytes and waits until the NameNode knows its replicas. */
  org.apache.hadoop.fs.Path write(String name, KnownBytes bytes) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + name);
    try (OutputStream out = stock.create(file, true)) {
      out.write(bytes.all());
    }
    awaitReplicas(file);
    return file;
  }

  public void awaitReplicas(org.apache.hadoop.fs.Path file) throws Exception {
    Eventually.holds(
        () -> assertThat(blocks(file)).allMatch(block -> block.getLocations().length == replicas));
  }

  public List<LocatedBlock> blocks(org.apache.hadoop.fs.Path file) throws IOException {
    return stock
        .getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  /** Has a file cached and waits until it is; returns the directive. */
  public long cache(org.apache.hadoop.fs.Path file) throws Exception {
    long directive =
        stock.addCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setPool(POOL)
                .setPath(file)
                .setReplication((short) replicas)
                .build());
    awaitCached(file);
    return directive;
  }

  void awaitCached(org.apache.hadoop.fs.Path file) throws Exception {
    Eventually.holds(
        () ->
            assertThat(blocks(file))
                .allMatch(block -> block.getCachedLocations().length == replicas));
  }

  public void uncache(long directive) throws IOException {
    stock.removeCacheDirective(directive);
  }

  /** Returns the bytes that the kernel locks for the DataNodes. */
  long lockedKilobytes() throws IOException {
    long locked = 0;
    for (Daemon node : dataNodes()) {
      for (String line : Files.readAllLines(Path.of("/proc/" + node.pid() + "/status"))) {
        if (line.startsWith("VmLck:")) {
          locked += Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    }
    return locked;
  }

  /** Slices of the process that were not given back. */
  public static long slices() {
    return ZeroCopyMetrics.slices();
  }

  /**
   * The first attempt of a stock stream may read a part and fail, at a truncated replica or a dying
   * DataNode. Its second attempt then starts again and writes beyond the end of its buffer.
   */
  public static void requireOfStockStream(IllegalArgumentException e) {
    if (Arrays.stream(e.getStackTrace())
        .noneMatch(frame -> frame.getClassName().equals(DFSInputStream.class.getName()))) {
      throw e;
    }
  }

  /**
   * Throws the {@link InternalError} of a read behind the end of a truncated file. Compiled code
   * goes on after such a read, and another error may be the first.
   */
  public static void throwPendingError() {
    CheckedCopy.throwPendingError();
  }

  /** Returns the file on disk of a block's replica, of one that is mapped here if there is any. */
  public Path replicaOf(LocatedBlock block) throws IOException {
    String name = block.getBlock().getBlockName();
    for (Path mapped : MappedFiles.now()) {
      if (mapped.getFileName().toString().equals(name)) {
        return mapped;
      }
    }
    for (Path volume : dataNode().dataDirectories()) {
      Named search = new Named(name);
      Files.walkFileTree(volume, search);
      if (search.found != null) {
        return search.found;
      }
    }
    throw new IOException("no replica of " + block);
  }

  /** Searches for a file, in directories whose other files may vanish meanwhile. */
  private static final class Named extends SimpleFileVisitor<Path> {
    private final String name;
    private Path found;

    Named(String name) {
      this.name = name;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!file.getFileName().toString().equals(name)) {
        return FileVisitResult.CONTINUE;
      }
      found = file;
      return FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }

  /** Has a DataNode take up these volumes, and give up the others, while it runs. */
  void useVolumes(Daemon dataNode, List<Path> volumes) throws Exception {
    org.apache.hadoop.fs.Path site =
        new org.apache.hadoop.fs.Path(dataNode.confDir().resolve("hdfs-site.xml").toUri());
    Configuration conf = new Configuration(false);
    conf.addResource(site);
    conf.set(
        VOLUMES,
        volumes.stream().map(volume -> "[DISK]" + volume.toUri()).collect(Collectors.joining(",")));
    try (OutputStream out = Files.newOutputStream(Path.of(site.toUri()))) {
      conf.writeXml(out);
    }
    ClientDatanodeProtocol node =
        DFSUtilClient.createClientDatanodeProtocolProxy(
            registered(dataNode), conf(), 60_000, false);
    try {
      node.startReconfiguration();
      Eventually.holds(() -> assertThat(node.getReconfigurationStatus().stopped()).isTrue());
      assertThat(node.getReconfigurationStatus().getStatus().values())
          .hasSize(1)
          .allMatch(Optional::isEmpty);
    } finally {
      RPC.stopProxy(node);
    }
  }

  private DatanodeInfo registered(Daemon dataNode) throws IOException {
    return Arrays.stream(stock.getDataNodeStats())
        .filter(node -> node.getXferPort() == dataNode.port())
        .findAny()
        .orElseThrow();
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      stock.close();
    }
  }
}
