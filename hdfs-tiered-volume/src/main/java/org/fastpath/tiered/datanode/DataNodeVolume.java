package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.fastpath.metrics.Histogram;

/**
 * Holds our data about a volume of HDFS, for as long as HDFS keeps the volume. A volume that is
 * removed and added again gets new data. Thread-safe.
 */
final class DataNodeVolume extends WeakReference<FsVolumeSpi> implements VolumeGauges {
  private final int hash;
  private final String storageId;
  private final String path;
  private final String storageType;
  private final VolumeLoad load;
  private final VolumeMetrics metrics;

  /** The begin of the operation that ended last. */
  private volatile long lastTransferEnded = Long.MIN_VALUE;

  private volatile long lastControlEnded = Long.MIN_VALUE;

  DataNodeVolume(FsVolumeSpi volume, boolean measured) {
    super(volume);
    hash = System.identityHashCode(volume);
    storageId = String.valueOf(volume.getStorageID());
    URI base = volume.getBaseURI();
    path = base == null ? "" : String.valueOf(base.getPath());
    storageType = String.valueOf(volume.getStorageType());
    load = new VolumeLoad(this, measured);
    metrics = VolumeMetrics.of(this);
  }

  int hash() {
    return hash;
  }

  String storageId() {
    return storageId;
  }

  /** Returns its directory; empty if it has none. */
  String path() {
    return path;
  }

  String storageType() {
    return storageType;
  }

  VolumeLoad load() {
    return load;
  }

  @Override
  public long availableBytes() throws IOException {
    FsVolumeSpi volume = get();
    return volume == null ? 0 : volume.getAvailable();
  }

  @Override
  public long inFlightBytes() {
    return get() instanceof FsVolumeImpl volume ? volume.getReservedForReplicas() : 0;
  }

  void begin(OPERATION operation, long nowNanos) {
    meter(VolumeIoListener.isTransfer(operation)).begin(nowNanos);
  }

  void end(OPERATION operation, long beginNanos, long nowNanos, long bytes) {
    boolean transfer = VolumeIoListener.isTransfer(operation);
    long nanos = nowNanos - beginNanos;
    if (transfer) {
      lastTransferEnded = beginNanos;
    } else {
      lastControlEnded = beginNanos;
    }
    meter(transfer).end(nowNanos, transfer ? bytes : 1);
    if (transfer) {
      load.statistics().transferred(nanos, bytes);
    }
    Histogram latencies = metrics.latencies(operation);
    if (latencies != null) {
      latencies.record(nanos);
    }
  }

  void failed(boolean transfer, long nowNanos) {
    meter(transfer).fail(nowNanos);
    load.statistics().error();
  }

  /**
   * Ends an operation whose end HDFS did not report.
   *
   * @param error whether an error is known to have ended it
   */
  void lost(boolean transfer, boolean error, long nowNanos) {
    meter(transfer).abandon(nowNanos);
    load.lost(error);
  }

  /** Returns whether a later operation of the same kind has ended. */
  boolean hasEndedLaterThan(boolean transfer, long beginNanos) {
    return (transfer ? lastTransferEnded : lastControlEnded) > beginNanos;
  }

  private ServiceMeter meter(boolean transfer) {
    return transfer ? load.transfers() : load.controls();
  }

  /** Ends the metrics: HDFS has dropped the volume. */
  void close() {
    metrics.close();
  }
}
