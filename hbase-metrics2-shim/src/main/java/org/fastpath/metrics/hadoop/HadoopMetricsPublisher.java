package org.fastpath.metrics.hadoop;

import java.util.HashMap;
import java.util.Map;
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

  private final ProcessRole role = ProcessRole.current();
  private final ThreadPoolExecutor registrar = registrar();

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

  @Override
  public void publish(PublishedSource source) {
    registrar.execute(() -> guarded(source, "is not shown", this::register));
  }

  @Override
  public void withdraw(PublishedSource source) {
    registrar.execute(() -> guarded(source, "is still shown", this::unregister));
  }

  private interface Step {
    void with(String name, PublishedSource source);
  }

  private void guarded(PublishedSource source, String consequence, Step step) {
    String name = role.sourceName(source.name());
    try {
      step.with(name, source);
    } catch (RuntimeException | LinkageError e) { // nothing of metrics may end a daemon
      LOG.error("Metrics: source {} {}", name, consequence, e);
    }
  }

  private void register(String name, PublishedSource source) {
    SourceAdapter adapter = new SourceAdapter(source, role.context());
    system().register(name, source.description(), adapter);
    adapters.put(name, adapter);
  }

  private void unregister(String name, PublishedSource source) {
    if (adapters.remove(name) != null) {
      system().unregisterSource(name);
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
