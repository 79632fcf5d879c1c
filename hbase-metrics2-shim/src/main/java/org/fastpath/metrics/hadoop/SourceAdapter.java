package org.fastpath.metrics.hadoop;

import java.util.List;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.fastpath.metrics.MetricDefinition;
import org.fastpath.metrics.PublishedSource;
import org.fastpath.metrics.RecordSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts a source to Metrics2. Each pseudo-source is a record with tags, so sinks and Prometheus
 * show its region or table as a tag or label. In JMX, a source is one bean. The attributes of the
 * second record end with {@code .1}, as for all sources of Hadoop with several records.
 */
final class SourceAdapter implements MetricsSource {
  private static final Logger LOG = LoggerFactory.getLogger(SourceAdapter.class);

  private final PublishedSource source;
  private final String context;
  private final String record;
  private volatile boolean failed;

  SourceAdapter(PublishedSource source, String context) {
    this.source = source;
    this.context = context;
    record = HadoopNames.record(source.name());
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    try {
      source.snapshot(new Records(collector));
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      warnOnce(e);
    }
  }

  /** Warns once. An error of the snapshot or of its warning would end Metrics2's timer. */
  private void warnOnce(Throwable failure) {
    if (!failed) {
      failed = true;
      try {
        LOG.warn(
            "Metrics: the snapshot of {} failed; its metrics are missing; further cases "
                + "are not logged",
            source.name(),
            failure);
      } catch (OutOfMemoryError e) {
        // There is no memory for a warning either.
      }
    }
  }

  private final class Records implements RecordSink {
    private final MetricsCollector collector;
    private MetricsRecordBuilder builder;

    Records(MetricsCollector collector) {
      this.collector = collector;
    }

    @Override
    public void record(List<String> tags, List<String> values) {
      builder = collector.addRecord(record).setContext(context);
      for (int i = 0; i < tags.size(); i++) {
        builder.tag(Interns.info(tags.get(i), tags.get(i)), values.get(i));
      }
    }

    @Override
    public void counter(MetricDefinition definition, long value) {
      builder.addCounter(info(definition), value);
    }

    @Override
    public void gauge(MetricDefinition definition, long value) {
      builder.addGauge(info(definition), value);
    }

    @Override
    public void text(MetricDefinition definition, String value) {
      builder.tag(info(definition), value);
    }

    private MetricsInfo info(MetricDefinition definition) {
      if (definition.handle() == null) {
        definition.handle(Interns.info(definition.name(), definition.description()));
      }
      return (MetricsInfo) definition.handle();
    }
  }
}
