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

/**
 * A local cluster of real processes and a client of it. Not thread-safe, but for its connection.
 */
public class Cluster implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private final LocalCluster cluster;
  private final Configuration configuration;
  private Connection connection;
  private Admin admin;
  private DistributedFileSystem files;

  /** Something that is so or not. */
  @FunctionalInterface
  public interface Condition {
    /** Looks. */
    boolean isMet() throws IOException;
  }

  /**
   * Starts it.
   *
   * @param directory its data, logs and configuration
   * @param progress gets a line for every step of starting and stopping
   * @param more says what it is like
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

  /** What clients are configured with; changes count for connections that are made later. */
  public Configuration configuration() {
    return configuration;
  }

  /** The processes. */
  public LocalCluster processes() {
    return cluster;
  }

  /** The first RegionServer. */
  public Daemon regionServer() {
    return cluster.daemon(Role.REGIONSERVER, 0);
  }

  /** The first DataNode. */
  public Daemon dataNode() {
    return cluster.daemon(Role.DATANODE, 0);
  }

  /** For reads and writes. */
  public Connection connection() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration);
    }
    return connection;
  }

  /** For tables, snapshots and compactions. */
  public Admin admin() throws IOException {
    if (admin == null) {
      admin = connection().getAdmin();
    }
    return admin;
  }

  /** HDFS. */
  public DistributedFileSystem files() throws IOException {
    if (files == null) {
      files = (DistributedFileSystem) FileSystem.newInstance(configuration);
    }
    return files;
  }

  /** Waits until something is so; fails with what was awaited of the RegionServer. */
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

  /** HBase takes all its beans away for half a second, a few seconds after a region was opened. */
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
      // Only closes them.
    }
  }
}
