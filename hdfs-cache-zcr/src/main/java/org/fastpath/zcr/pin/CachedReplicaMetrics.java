package org.fastpath.zcr.pin;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics source {@code HdfsCacheBalancer}: an HMaster's knowledge of replicas in locked
 * memory. There is one in a process, for its whole life. Thread-safe.
 */
final class CachedReplicaMetrics {
  private static final CachedReplicaMetrics INSTANCE = new CachedReplicaMetrics();

  private final Counter surveys;
  private final Counter failed;
  private final Counter late;
  private volatile long regions;
  private volatile long bytes;

  private CachedReplicaMetrics() {
    SourceBuilder builder =
        Metrics.source("HdfsCacheBalancer", "Replicas in locked memory that the balancer knows");
    builder.gauge("knownRegionCount", "Regions with such replicas", () -> regions);
    builder.gauge("knownBytes", "Bytes of these, each replica counted", () -> bytes);
    surveys = builder.counter("surveyCount", "Surveys of the NameNode");
    failed = builder.counter("failedSurveyCount", "Of these, those that failed");
    late = builder.counter("surveyTimeoutCount", "Surveys for which the balancer stopped waiting");
    builder.register();
  }

  static CachedReplicaMetrics shared() {
    return INSTANCE;
  }

  void began() {
    surveys.increment();
  }

  void know(CachedBytes known) {
    regions = known.byRegion().size();
    bytes = known.total();
  }

  void failed() {
    failed.increment();
  }

  void late() {
    late.increment();
  }

  long failures() {
    return failed.sum();
  }

  long timeouts() {
    return late.sum();
  }
}
