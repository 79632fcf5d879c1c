package org.fastpath.bench.engine.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.bench.engine.Layout;
import org.fastpath.bench.engine.Pause;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/** A local cluster of real processes and its client. Not thread-safe except for its connection. */
public class Cluster implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private final LocalCluster cluster;
  private final Configuration configuration;
  private Connection connection;
  private Admin admin;
  private DistributedFileSystem files;

  /** A condition that may become true. */
  @FunctionalInterface
  public interface Condition {
    /** Checks the condition. */
    boolean isMet() throws IOException;
  }

  /**
   * Starts the cluster.
   *
   * @param directory its data, logs and configuration
   * @param progress receives a line for every step of starting and stopping
   * @param more changes its description
   */
  public Cluster(Path directory, Consumer<String> progress, Consumer<ClusterBuilder> more) {
    ClusterBuilder builder =
        LocalCluster.builder()
            .directory(directory)
            .jars(Layout.here().libDirectory())
            .onProgress(progress);
    more.accept(builder);
    cluster = builder.start();
    configuration = HBaseConfiguration.create();
    cluster.clientConfiguration().forEach(configuration::set);
    // The driver has no libhadoop.
    configuration.set("dfs.client.read.shortcircuit", "false");
  }

  /** Returns the clients' configuration; changes affect connections that are made later. */
  public Configuration configuration() {
    return configuration;
  }

  /** Returns the processes. */
  public LocalCluster processes() {
    return cluster;
  }

  /** Returns the first RegionServer. */
  public Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  /** Returns the first DataNode. */
  public Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  /** Returns the connection for reads and writes. */
  public Connection connection() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration);
    }
    return connection;
  }

  /** Returns the client for tables, snapshots and compactions. */
  public Admin admin() throws IOException {
    if (admin == null) {
      admin = connection().getAdmin();
    }
    return admin;
  }

  /** Returns the client of HDFS. */
  public DistributedFileSystem files() throws IOException {
    if (files == null) {
      files = (DistributedFileSystem) FileSystem.newInstance(configuration);
    }
    return files;
  }

  /** Waits for a condition; a failure names the awaited state of the RegionServer. */
  public void await(String awaited, Condition condition) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.isMet()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            regionServer().name()
                + " does not "
                + awaited
                + "; its log is "
                + regionServer().log());
      }
      Pause.millis(POLL_MILLIS);
    }
  }

  /**
   * Returns a counter. It waits, because HBase removes all its beans for half a second a few
   * seconds after a region was opened.
   */
  public long counter(String bean, String name) throws IOException {
    AtomicReference<Optional<String>> value = new AtomicReference<>(Optional.empty());
    await(
        "show " + name,
        () -> {
          value.set(regionServer().jmxAttribute(bean, name));
          return value.get().isPresent();
        });
    return Long.parseLong(value.get().orElseThrow());
  }

  /** Closes the clients and stops all processes. */
  @Override
  public void close() throws IOException {
    try (cluster;
        Closeable first = connection;
        Closeable second = admin;
        Closeable third = files) {
      // The try statement only closes the clients.
    }
  }
}
