package org.fastpath.metrics.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.fastpath.cluster.Unloggable;
import org.fastpath.metrics.MetricDefinition;
import org.fastpath.metrics.PublishedSource;
import org.fastpath.metrics.RecordSink;
import org.junit.jupiter.api.Test;

/** Whatever a source does, the thread of the metrics system goes on. */
class SourceAdapterTest {
  private final AtomicInteger snapshots = new AtomicInteger();

  private final class Broken implements PublishedSource {
    private final Throwable failure;

    Broken(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public String name() {
      return "Broken";
    }

    @Override
    public String description() {
      return "Of a test";
    }

    @Override
    public List<String> tags() {
      return List.of();
    }

    @Override
    public List<MetricDefinition> definitions() {
      return List.of();
    }

    @Override
    public void notShown(String why) {}

    @Override
    public void snapshot(RecordSink sink) {
      sink.record(List.of(), List.of());
      snapshots.incrementAndGet();
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      throw (Error) failure;
    }
  }

  @Test
  void aSourceThatThrowsEndsNothing() {
    for (Throwable failure :
        List.of(new IllegalStateException(), new NoClassDefFoundError(), new Unloggable())) {
      SourceAdapter adapter = new SourceAdapter(new Broken(failure), "test");
      int before = snapshots.get();
      assertThatCode(
              () -> {
                adapter.getMetrics(new MetricsCollectorImpl(), true);
                adapter.getMetrics(new MetricsCollectorImpl(), true);
              })
          .doesNotThrowAnyException();
      assertThat(snapshots).hasValue(before + 2);
    }
  }
}
