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
 * <p>A daemon uses the default system and starts it itself, perhaps later. A source that is
 * registered before appears when the system starts. It appears again whenever HBase restarts the
 * system to forget regions (JmxCacheBuster). The prefix of the system becomes the {@code service}
 * of the bean: {@code Hadoop:service=HBase,name=RegionServer,sub=Checksum}, {@code
 * Hadoop:service=DataNode,name=Checksum}.
 *
 * <p>A plain client of HBase or HDFS usually starts no metrics system. To start the default one
 * would take that choice from the program, so our sources wait until the program starts it. If
 * {@link ClientMetrics#KEY} is {@code true}, they get a separate metrics system, as Hadoop's S3A
 * client does. Its name is {@code Client}, and hadoop-metrics2-client.properties configures it.
 *
 * <p>One thread of ours registers the sources in turn. Modules announce theirs while their classes
 * are initialized. Metrics2 may hold its lock while it waits for a thread that waits for such a
 * class.
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

  // Only the registrar's thread uses it.
  private final Map<String, SourceAdapter> adapters = new HashMap<>();
  private MetricsSystem system;

  /** Called by ServiceLoader. */
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
   * @throws IllegalArgumentException for a name that HBase uses. The second registration of a name
   *     fails, and a RegionServer that cannot register its own source ends
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

  /** Waits until all sources announced before are registered or have failed. */
  static void awaitRegistered() throws InterruptedException, ExecutionException {
    REGISTRAR.submit(() -> {}).get();
  }

  private void register(PublishedSource source) {
    String name = role.sourceName(source.name());
    SourceAdapter adapter = new SourceAdapter(source, role.context());
    try {
      system().register(name, source.description(), adapter);
      adapters.put(name, adapter);
    } catch (RuntimeException | LinkageError e) { // no failure of a metric may end a daemon
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
