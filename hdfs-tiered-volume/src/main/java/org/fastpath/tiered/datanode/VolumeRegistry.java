package org.fastpath.tiered.datanode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.VolumeIoEvents;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.tiered.TierFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of the process, by identity. It holds them weakly, so a hot swap releases a volume.
 *
 * <p>A look-up reads an array that is replaced for each new volume; it takes no lock and allocates
 * nothing. The volume's provider gets its {@linkplain VolumeIoEvents hook} at the same time. If it
 * cannot get one, nothing is measured and the log says so once.
 */
final class VolumeRegistry implements VolumeIoListener {
  /** The registry of the process. DataNodes in one JVM have different volumes. */
  static final VolumeRegistry SHARED = new VolumeRegistry();

  private static final Logger LOG = LoggerFactory.getLogger(VolumeRegistry.class);

  /** Whether Hadoop's code is the verified code. The first volume checks it. */
  private static final class Support {
    static final boolean VERIFIED = TierFeatures.check(TierFeatures.LATENCY_VOLUMES);

    private Support() {}
  }

  private final OperationTracker operations = new OperationTracker();
  private final LongSupplier clock;
  private volatile DataNodeVolume[] table = new DataNodeVolume[2];
  private boolean refused;

  VolumeRegistry() {
    this(System::nanoTime);
  }

  VolumeRegistry(LongSupplier nanoClock) {
    clock = nanoClock;
  }

  /** Returns our data about a volume. */
  DataNodeVolume of(FsVolumeSpi volume) {
    DataNodeVolume known = find(volume);
    return known == null ? add(volume) : known;
  }

  private DataNodeVolume find(FsVolumeSpi volume) {
    DataNodeVolume[] slots = table;
    int mask = slots.length - 1;
    int slot = slot(System.identityHashCode(volume), mask);
    for (DataNodeVolume known = slots[slot]; known != null; known = slots[slot]) {
      if (known.refersTo(volume)) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  private static int slot(int hash, int mask) {
    return (hash ^ hash >>> 16) & mask;
  }

  private synchronized DataNodeVolume add(FsVolumeSpi volume) {
    DataNodeVolume known = find(volume);
    if (known == null) {
      prune();
      known = new DataNodeVolume(volume, isMeasured(volume));
      List<DataNodeVolume> all = all();
      all.add(known);
      publish(all);
    }
    return known;
  }

  /** Drops volumes that HDFS has dropped, and ends operations whose end HDFS does not report. */
  synchronized void prune() {
    operations.sweep(clock.getAsLong());
    List<DataNodeVolume> all = all();
    for (DataNodeVolume known : all) {
      if (known.refersTo(null)) {
        known.close();
      }
    }
    if (all.removeIf(known -> known.refersTo(null))) {
      publish(all);
    }
  }

  private void publish(List<DataNodeVolume> all) {
    // At most half full, so that a search ends.
    int length = Integer.highestOneBit(Math.max(1, all.size())) << 2;
    DataNodeVolume[] slots = new DataNodeVolume[length];
    for (DataNodeVolume known : all) {
      int slot = slot(known.hash(), length - 1);
      while (slots[slot] != null) {
        slot = (slot + 1) & (length - 1);
      }
      slots[slot] = known;
    }
    table = slots;
  }

  /** Returns all known volumes, in no order. */
  List<DataNodeVolume> all() {
    List<DataNodeVolume> all = new ArrayList<>();
    for (DataNodeVolume known : table) {
      if (known != null) {
        all.add(known);
      }
    }
    return all;
  }

  private boolean isMeasured(FsVolumeSpi volume) {
    FileIoProvider provider = volume.getFileIoProvider();
    if (provider == null) {
      return false;
    }
    if (!Support.VERIFIED) {
      unmeasured(TierFeatures.LATENCY_VOLUMES.reason(), null);
      return false;
    }
    try {
      VolumeIoEvents.install(provider, this);
      TierFeatures.LATENCY_VOLUMES.active();
      return true;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      TierFeatures.LATENCY_VOLUMES.fallenBack("the hook of FileIoProvider cannot be replaced");
      unmeasured("the hook of FileIoProvider cannot be replaced", e);
      return false;
    }
  }

  private void unmeasured(String why, Throwable cause) {
    VolumeMetrics.unmeasured();
    if (!refused) {
      refused = true;
      LOG.warn(
          "Latencies of volumes cannot be measured, so volumes are chosen in turn: {}", why, cause);
    }
  }

  // Operations.

  @Override
  public long begin(FsVolumeSpi volume, OPERATION operation) {
    DataNodeVolume known = volume != null && isOfInterest(operation) ? find(volume) : null;
    if (known == null) {
      return -1;
    }
    long now = clock.getAsLong();
    if (now >= 0) {
      if (operations.isSweepDue()) {
        operations.sweep(now);
      }
      operations.begin(known, kind(operation), now);
      known.begin(operation, now);
    }
    return now;
  }

  private static OperationTracker.Kind kind(OPERATION operation) {
    return switch (operation) {
      case WRITE -> OperationTracker.Kind.WRITE;
      case FLUSH -> OperationTracker.Kind.FLUSH;
      default -> OperationTracker.Kind.CONTROL;
    };
  }

  private static boolean isOfInterest(OPERATION operation) {
    return switch (operation) {
      case WRITE, FLUSH, SYNC, OPEN, MOVE -> true;
      default -> false;
    };
  }

  @Override
  public void end(FsVolumeSpi volume, OPERATION operation, long beginNanos, long bytes) {
    DataNodeVolume known = find(volume);
    if (known != null && operations.end(beginNanos)) {
      known.end(operation, beginNanos, clock.getAsLong(), bytes);
    }
  }

  @Override
  public void failed(FsVolumeSpi volume, boolean transfer, long beginNanos) {
    DataNodeVolume known = find(volume);
    if (known != null && operations.end(beginNanos)) {
      known.failed(transfer, clock.getAsLong());
    }
  }
}
