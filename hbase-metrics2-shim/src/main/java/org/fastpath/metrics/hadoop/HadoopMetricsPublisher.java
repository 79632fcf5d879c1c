package org.fastpath.metrics.hadoop;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>A plain client of HBase or HDFS usually starts none. To start the default one for it would
 * take that from the program; so, like Hadoop's S3A client, it gets a metrics system of its own,
 * named {@code Client}, configured by hadoop-metrics2-client.properties.
 */
public final class HadoopMetricsPublisher implements MetricsPublisher {
  /** The metrics system of a client, which is the service of its beans. */
  static final String CLIENT_SYSTEM = "Client";

  private static final Logger LOG = LoggerFactory.getLogger(HadoopMetricsPublisher.class);

  private final ProcessRole role = ProcessRole.current();
  private final MetricsSystem system = system(role);
  private final Map<String, SourceAdapter> adapters = new ConcurrentHashMap<>();

  /** For ServiceLoader. */
  public HadoopMetricsPublisher() {}

  private static MetricsSystem system(ProcessRole role) {
    MetricsSystem common = DefaultMetricsSystem.instance();
    if (role != ProcessRole.CLIENT || isStarted(common)) {
      return common;
    }
    return new MetricsSystemImpl().init(CLIENT_SYSTEM);
  }

  /** Metrics2 does not say. Where it cannot be found out, the default system is left alone. */
  private static boolean isStarted(MetricsSystem system) {
    try {
      Field monitoring = MetricsSystemImpl.class.getDeclaredField("monitoring");
      monitoring.setAccessible(true);
      return monitoring.getBoolean(system);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("Metrics: whether Metrics2 is started cannot be seen", e);
      return false;
    }
  }

  @Override
  public void publish(PublishedSource source) {
    SourceAdapter adapter = new SourceAdapter(source, role.context());
    String name = role.sourceName(source.name());
    system.register(name, source.description(), adapter);
    adapters.put(name, adapter);
  }

  @Override
  public void withdraw(PublishedSource source) {
    String name = role.sourceName(source.name());
    if (adapters.remove(name) != null) {
      system.unregisterSource(name);
    }
  }
}
