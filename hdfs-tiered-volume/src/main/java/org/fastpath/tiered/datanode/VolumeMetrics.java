package org.fastpath.tiered.datanode;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Histogram;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;
import org.fastpath.metrics.Unit;

/**
 * A record of the source {@code VolumeChoice} for one volume, from its first offer to a policy
 * until HDFS drops it. Thread-safe.
 */
final class VolumeMetrics {
  static final Counter FELL_BACK;
  private static final AggregateSource VOLUMES =
      Metrics.aggregate(
          "VolumeChoice",
          "The volumes of a DataNode and the choices of them",
          "storageType",
          "storageId",
          "directory");
  private static final Counter UNMEASURED;

  /** The visible volumes. HDFS may add a volume again before its old record is removed. */
  private static final Map<String, VolumeMetrics> SHOWN = new ConcurrentHashMap<>();

  private static final double THOUSAND = 1000;

  static {
    SourceBuilder builder =
        Metrics.source("VolumeChoosing", "The policy by which a DataNode chooses volumes");
    UNMEASURED =
        builder.counter("unmeasuredVolumeCount", "Volumes whose latencies cannot be measured");
    FELL_BACK =
        builder.counter(
            "fallbackChoiceCount",
            "Replicas placed by HDFS's round-robin because our policy failed");
    builder.gauge("volumeCount", "Volumes that were offered and are in use", VOLUMES::size);
    builder.register();
  }

  private final String key;
  private final Histogram writes;
  private final Histogram syncs;
  private final Registration registration;

  private VolumeMetrics(String key, DataNodeVolume volume) {
    this.key = key;
    VolumeLoad load = volume.load();
    SourceBuilder builder =
        VOLUMES.pseudoSource(volume.storageType(), volume.storageId(), volume.path());
    writes =
        builder.histogram(
            "write", Unit.NANOS, "Writes of replicas, a packet or a piece of one each");
    syncs = builder.histogram("sync", Unit.NANOS, "Syncs of replicas and directories");
    builder.counter("writtenBytes", "Bytes of these writes", () -> load.transfers().work());
    builder.counter(
        "choiceCount", "Replicas that were sent to the volume", load.share()::choiceCount);
    builder.counter("probeCount", "Of these, those that probed it", load::probeCount);
    builder.counter("slowExclusionCount", "Exclusions as slow", load::slowExclusionCount);
    builder.counter("erringExclusionCount", "Exclusions as failing", load::erringExclusionCount);
    builder.counter("stallCount", "Times that it was skipped as stalled", load::stallCount);
    builder.counter("fullCount", "Times that it had no room for a replica", load::fullCount);
    builder.counter("errorCount", "Operations that failed", load.statistics()::errors);
    builder.counter(
        "lostOperationCount",
        "Operations that ended with an Error, or whose end was never reported",
        load::lostOperationCount);
    builder.gauge(
        "slownessPermilleCount",
        "Cost relative to the peers' median times 1000",
        () -> Math.round(load.slowness() * THOUSAND));
    builder.gauge(
        "excludedCount",
        "1 while it is excluded or stalled, otherwise 0",
        () -> load.isEligible() ? 0 : 1);
    builder.gauge(
        "inFlightCount",
        "Operations in flight",
        () -> load.transfers().inFlight() + load.controls().inFlight());
    builder.gauge("inFlightBytes", "Bytes that open replicas may still need", load::inFlightBytes);
    builder.gauge("availableBytes", "Free space at the last poll", load::knownAvailableBytes);
    registration = builder.register();
  }

  static synchronized VolumeMetrics of(DataNodeVolume volume) {
    String key = volume.storageType() + ' ' + volume.storageId() + ' ' + volume.path();
    VolumeMetrics before = SHOWN.get(key);
    if (before != null) {
      before.close();
    }
    VolumeMetrics metrics = new VolumeMetrics(key, volume);
    SHOWN.put(key, metrics);
    return metrics;
  }

  static void unmeasured() {
    UNMEASURED.increment();
  }

  /** Returns the histogram of an operation's latency, or null. */
  Histogram latencies(OPERATION operation) {
    return switch (operation) {
      case WRITE -> writes;
      case SYNC -> syncs;
      default -> null;
    };
  }

  void close() {
    registration.close();
    SHOWN.remove(key, this);
  }
}
