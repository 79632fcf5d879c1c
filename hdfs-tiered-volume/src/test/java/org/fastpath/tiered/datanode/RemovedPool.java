package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * Works with a DataNode of two name services. It writes replicas in memory, persists them lazily
 * and evicts them. Meanwhile it gets new volumes and loses the block pool of one name service. Runs
 * on the mini cluster of Hadoop's tests, in a JVM of its own.
 */
public final class RemovedPool {
  static final String DONE = "all in order";

  private static final String HDFS = "org.apache.hadoop.hdfs.";
  private static final String DIRECTORIES = "dfs.datanode.data.dir";
  private static final int BLOCK_BYTES = 64 << 10;
  private static final int BLOCKS_IN_MEMORY = 16;
  private static final int BEFORE = 30;
  private static final int AFTER = 60;
  private static final int NEW_VOLUMES = 3;
  private static final long PATIENCE_SECONDS = 240;

  private final java.nio.file.Path directory;
  private final Object cluster;
  private final DataNode dataNode;
  private final AtomicInteger[] written = {new AtomicInteger(), new AtomicInteger()};

  private RemovedPool(String factory) throws Exception {
    // Replicas in memory are counted as if they were locked.
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
    directory = Files.createTempDirectory("removed-pool");
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.datanode.fsdataset.factory", factory);
    conf.set("hdfs.minidfs.basedir", directory.resolve("hdfs").toString());
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.datanode.lazywriter.interval.sec", 1);
    conf.setLong("dfs.datanode.max.locked.memory", (long) BLOCKS_IN_MEMORY * BLOCK_BYTES);
    conf.setInt("dfs.heartbeat.interval", 1);
    cluster = start(conf);
    cluster.getClass().getMethod("waitActive").invoke(cluster);
    List<?> nodes = (List<?>) cluster.getClass().getMethod("getDataNodes").invoke(cluster);
    dataNode = (DataNode) nodes.get(0);
  }

  private static Object start(Configuration conf) throws Exception {
    Class<?> builder = Class.forName(HDFS + "MiniDFSCluster$Builder");
    Class<?> topology = Class.forName(HDFS + "MiniDFSNNTopology");
    Object made = builder.getConstructor(Configuration.class).newInstance(conf);
    builder
        .getMethod("nnTopology", topology)
        .invoke(made, topology.getMethod("simpleFederatedTopology", int.class).invoke(null, 2));
    builder.getMethod("numDataNodes", int.class).invoke(made, 1);
    builder.getMethod("storagesPerDatanode", int.class).invoke(made, 2);
    StorageType[] types = {StorageType.RAM_DISK, StorageType.DISK};
    builder.getMethod("storageTypes", StorageType[].class).invoke(made, (Object) types);
    return builder.getMethod("build").invoke(made);
  }

  private Object ofNameNode(String method, int nameNode) throws Exception {
    return cluster.getClass().getMethod(method, int.class).invoke(cluster, nameNode);
  }

  /** Works with the dataset of a factory; prints whether all is in order. */
  public static void main(String[] args) {
    int failed = 1;
    try {
      new RemovedPool(args[0]).work();
      System.out.println(DONE);
      failed = 0;
    } catch (Exception e) {
      e.printStackTrace();
      Thread.getAllStackTraces()
          .forEach((thread, frames) -> System.out.println(thread + " " + Arrays.asList(frames)));
    }
    System.exit(failed);
  }

  private void work() throws Exception {
    DistributedFileSystem staying = (DistributedFileSystem) ofNameNode("getFileSystem", 0);
    DistributedFileSystem leaving = (DistributedFileSystem) ofNameNode("getFileSystem", 1);
    String pool = ((FSNamesystem) ofNameNode("getNamesystem", 1)).getBlockPoolId();
    List<CompletableFuture<Void>> works = new ArrayList<>();
    works.add(run(() -> write(staying, 0, BEFORE + AFTER)));
    // Its writes end when the client gives up, which may take minutes.
    run(() -> write(leaving, 1, Integer.MAX_VALUE));
    works.add(run(this::addVolumes));
    works.add(
        run(
            () -> {
              awaitFiles(1, BEFORE);
              removePool(pool);
            }));
    CompletableFuture.allOf(works.toArray(new CompletableFuture<?>[0]))
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    require(!dataNode.getNamenodeAddresses().contains(pool), "the pool is still served");
    require(count("RamDiskBlocksLazyPersisted") > 0, "nothing was persisted");
    require(count("RamDiskBlocksEvicted") > 0, "nothing was evicted");
    readAll(staying);
  }

  /** Work that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private static CompletableFuture<Void> run(Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        command -> new Thread(command).start());
  }

  private void write(DistributedFileSystem fs, int service, int files) throws IOException {
    for (int i = 0; i < files; i++) {
      try (OutputStream out =
          fs.create(
              new Path("/" + i),
              FsPermission.getFileDefault(),
              EnumSet.of(CreateFlag.CREATE, CreateFlag.LAZY_PERSIST),
              BLOCK_BYTES,
              (short) 1,
              BLOCK_BYTES,
              null)) {
        out.write(content(i));
      }
      written[service].incrementAndGet();
    }
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  private void addVolumes() throws Exception {
    for (int i = 0; i < NEW_VOLUMES; i++) {
      java.nio.file.Path volume = Files.createDirectory(directory.resolve("volume-" + i));
      dataNode.reconfigurePropertyImpl(
          DIRECTORIES, dataNode.getConf().get(DIRECTORIES) + ",[DISK]" + volume.toUri());
      awaitFiles(0, written[0].get() + 5);
    }
  }

  private void removePool(String pool) throws Exception {
    Configuration rest = new Configuration(dataNode.getConf());
    Configuration staying = (Configuration) ofNameNode("getConfiguration", 0);
    rest.set("dfs.nameservices", staying.get("dfs.nameservice.id"));
    dataNode.refreshNamenodes(rest);
    dataNode.deleteBlockPool(pool, true);
  }

  private void awaitFiles(int service, int files) throws InterruptedException {
    while (written[service].get() < Math.min(files, BEFORE + AFTER)) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private void readAll(DistributedFileSystem fs) throws IOException {
    for (int i = 0; i < BEFORE + AFTER; i++) {
      try (InputStream in = fs.open(new Path("/" + i))) {
        require(Arrays.equals(in.readAllBytes(), content(i)), "bytes of file " + i);
      }
    }
  }

  private static long count(String metric) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long sum = 0;
    for (ObjectName name :
        server.queryNames(new ObjectName("Hadoop:service=DataNode,name=DataNodeActivity*"), null)) {
      sum += ((Number) server.getAttribute(name, metric)).longValue();
    }
    return sum;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
