package org.fastpath.metrics.hadoop;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.fastpath.metrics.MetricsPublisher;
import org.fastpath.metrics.PublishedSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers every source with Hadoop's metrics system.
 *
 * <p>In a daemon that is the default one, which the daemon starts itself, perhaps later: a source
 * that is registered before appears when it starts, and again whenever HBase restarts it to forget
 * regions (JmxCacheBuster). Its prefix becomes the {@code service} of the bean: {@code
 * Hadoop:service=HBase,name=RegionServer,sub=Checksum}, {@code
 * Hadoop:service=DataNode,name=Checksum}.
 *
 * <p>A plain client of HBase or HDFS usually starts none, and to start the default one for it would
 * take that from the program: our sources wait there for a program that does. Where {@link
 * ClientMetrics#KEY} says so they get a metrics system of their own, named {@code Client} and
 * configured by hadoop-metrics2-client.properties, as Hadoop's S3A client has one.
 *
 * <p>Sources are registered one after the other on a thread of ours: modules announce theirs while
 * their classes are initialized, and Metrics2 may hold its lock while it waits for somebody who
 * waits for such a class.
 */
public final class HadoopMetricsPublisher implements MetricsPublisher {
  /** The metrics system of a client, which is the service of its beans. */
  static final String CLIENT_SYSTEM = "Client";

  private static final Logger LOG = LoggerFactory.getLogger(HadoopMetricsPublisher.class);

  /** HBase's sources under {@code RegionServer,sub=} and {@code Master,sub=}. */
  private static final Set<String> RESERVED =
      Set.of(
          "AssignmentManager",
          "Balancer",
          "FileSystem",
          "IO",
          "IPC",
          "Memory",
          "Procedure",
          "Quotas",
          "Regions",
          "Replication",
          "Server",
          "Snapshots",
          "TableLatencies",
          "TableRequests",
          "Tables",
          "ThrottleExceptions",
          "Users",
          "WAL",
          "WALEventTracker");

  private static final ThreadPoolExecutor REGISTRAR = registrar();

  private final ProcessRole role = ProcessRole.current();

  // Used on the registrar's thread only.
  private final Map<String, SourceAdapter> adapters = new HashMap<>();
  private MetricsSystem system;

  /** For ServiceLoader. */
  public HadoopMetricsPublisher() {}

  private static ThreadPoolExecutor registrar() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "fastpath-metrics-registrar");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException for a name of HBase's own: whichever of the two registers
   *     second would fail, and a RegionServer that cannot register a source ends
   */
  @Override
  public void publish(PublishedSource source) {
    if (RESERVED.contains(source.name())) {
      throw new IllegalArgumentException("HBase has a source of that name");
    }
    REGISTRAR.execute(() -> register(source));
  }

  @Override
  public void withdraw(PublishedSource source) {
    REGISTRAR.execute(() -> unregister(source));
  }

  /** Returns when all sources announced before are registered, or could not be. */
  static void awaitRegistered() throws InterruptedException, ExecutionException {
    REGISTRAR.submit(() -> {}).get();
  }

  private void register(PublishedSource source) {
    String name = role.sourceName(source.name());
    SourceAdapter adapter = new SourceAdapter(source, role.context());
    try {
      system().register(name, source.description(), adapter);
      adapters.put(name, adapter);
    } catch (RuntimeException | LinkageError e) { // nothing of metrics may end a daemon
      source.notShown(e.toString());
    }
  }

  private void unregister(PublishedSource source) {
    String name = role.sourceName(source.name());
    try {
      if (adapters.remove(name) != null) {
        system().unregisterSource(name);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Metrics: source {} is still shown", name, e);
    }
  }

  private MetricsSystem system() {
    if (system == null) {
      boolean own = role == ProcessRole.CLIENT && ClientMetrics.wanted();
      system = own ? new MetricsSystemImpl().init(CLIENT_SYSTEM) : DefaultMetricsSystem.instance();
    }
    return system;
  }
}
