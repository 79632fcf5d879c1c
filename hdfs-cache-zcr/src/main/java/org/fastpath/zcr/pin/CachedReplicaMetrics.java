package org.fastpath.zcr.pin;

import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * What an HMaster knows of replicas in locked memory, as the source {@code HdfsCacheBalancer}: one
 * in a process, for as long as that lives. Thread-safe.
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
        Metrics.source(
            "HdfsCacheBalancer", "Replicas in locked memory, as the balancer knows them");
    builder.gauge("knownRegionCount", "Regions that have some", () -> regions);
    builder.gauge("knownBytes", "Bytes of these, each replica counted", () -> bytes);
    surveys = builder.counter("surveyCount", "Times that the NameNode was asked for them");
    failed = builder.counter("failedSurveyCount", "Of these, those that failed");
    late =
        builder.counter("surveyTimeoutCount", "Times that the balancer did not wait for an answer");
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
