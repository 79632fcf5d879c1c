package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** HDFS with one DataNode that locks memory, small blocks, and files of known bytes. */
public final class TestHdfs implements AutoCloseable {
  public static final int BLOCK_BYTES = 1 << 20;
  private static final String POOL = "pool";

  private final LocalCluster cluster;
  private final DistributedFileSystem stock;

  public TestHdfs() throws IOException {
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .shortCircuit(true)
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            .conf("dfs.namenode.heartbeat.recheck-interval", "1000")
            .lockedMemory(256L << 20)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    stock = (DistributedFileSystem) FileSystem.newInstance(conf());
    stock.addCachePool(new CachePoolInfo(POOL));
  }

  /**
   * A client's configuration. Hadoop's own caches of replicas keep nothing that is not in use, so
   * that everything that is left in them at the end is a leak; a DataNode that failed is tried
   * again after a second. They are of a context of their own, since the first client of a context
   * decides for all.
   */
  public Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    conf.set("dfs.client.context", "zero-copy");
    conf.setInt("dfs.client.mmap.cache.size", 0);
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

  /** Writes a file of these bytes and waits until the NameNode knows its replicas. */
  org.apache.hadoop.fs.Path write(String name, KnownBytes bytes) throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/" + name);
    try (OutputStream out = stock.create(file, true)) {
      out.write(bytes.all());
    }
    Eventually.holds(
        () -> assertThat(blocks(file)).allMatch(block -> block.getLocations().length == 1));
    return file;
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
            new CacheDirectiveInfo.Builder().setPool(POOL).setPath(file).build());
    awaitCached(file);
    return directive;
  }

  void awaitCached(org.apache.hadoop.fs.Path file) throws Exception {
    Eventually.holds(
        () -> assertThat(blocks(file)).allMatch(block -> block.getCachedLocations().length == 1));
  }

  public void uncache(long directive) throws IOException {
    stock.removeCacheDirective(directive);
  }

  /** Slices of the process that were not given back. */
  public static long slices() {
    return ZeroCopyMetrics.slices();
  }

  /** The file on disk of a block's replica. */
  public Path replicaOf(LocatedBlock block) throws IOException {
    String name = block.getBlock().getBlockName();
    for (Path volume : dataNode().dataDirectories()) {
      try (Stream<Path> files = Files.walk(volume)) {
        List<Path> found =
            files.filter(file -> file.getFileName().toString().equals(name)).toList();
        if (!found.isEmpty()) {
          return found.get(0);
        }
      }
    }
    throw new IOException("no replica of " + block);
  }

  @Override
  public void close() throws IOException {
    try (cluster) {
      stock.close();
    }
  }
}
