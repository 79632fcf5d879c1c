package org.fastpath.bench.docs;

import java.util.EnumSet;
import java.util.Set;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.region.SampleRegion;
import org.fastpath.offheap.cache.SampleCache;
import org.fastpath.tiered.datanode.SampleVolumes;
import org.fastpath.tiered.datanode.move.SampleMoves;
import org.fastpath.tiered.regionserver.SampleKeeper;
import org.fastpath.tiered.regionserver.guard.SampleGuard;
import org.fastpath.zcr.pin.SamplePins;

/**
 * The modules that register sources. A new module with metrics is added here, with the code that
 * registers them. Then its metrics are on the page.
 */
enum Registrant {
  METRICS("hbase-metrics2-shim", EnumSet.allOf(Place.class)) {
    @Override
    void register() {
      Metrics.sources();
    }
  },
  REGIONS("hbase-metrics2-shim", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      SampleRegion.open();
    }
  },
  CHECKSUM(
      "hbase-native-checksum", EnumSet.of(Place.REGION_SERVER, Place.DATA_NODE, Place.CLIENT)) {
    @Override
    void register() {
      initialize("org.fastpath.checksum.ChecksumEngine");
    }
  },
  OFF_HEAP_CACHE("hbase-offheap-read", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      SampleCache.publish();
    }
  },
  OFF_HEAP_READER("hbase-offheap-read", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      initialize("org.fastpath.offheap.reader.ReaderMetrics");
      initialize("org.fastpath.offheap.inline.InlineMetrics");
    }
  },
  ZERO_COPY("hdfs-cache-zcr", EnumSet.of(Place.REGION_SERVER, Place.CLIENT)) {
    @Override
    void register() {
      initialize("org.fastpath.zcr.ZeroCopyMetrics");
    }
  },
  PINNING("hdfs-cache-zcr", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      SamplePins.publish();
    }
  },
  MAPPED_BLOCKS("hdfs-cache-zcr", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      initialize("org.fastpath.zcr.hbase.BlockMetrics");
    }
  },
  WARM_UP("hdfs-cache-zcr", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      initialize("org.fastpath.zcr.warmup.WarmUpMetrics");
    }
  },
  TIERING("hdfs-tiered-volume", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      initialize("org.fastpath.tiered.regionserver.TierMetrics");
    }
  },
  TIER_GUARD("hdfs-tiered-volume", EnumSet.of(Place.REGION_SERVER)) {
    @Override
    void register() {
      SampleGuard.publish();
    }
  },
  TIER_KEEPER("hdfs-tiered-volume", EnumSet.of(Place.MASTER)) {
    @Override
    void register() {
      SampleKeeper.publish();
    }
  },
  LOCKS("hdfs-tiered-volume", EnumSet.of(Place.DATA_NODE)) {
    @Override
    void register() {
      initialize("org.fastpath.tiered.datanode.LockMetrics");
      initialize("org.fastpath.tiered.datanode.KernelAdviceMetrics");
    }
  },
  VOLUMES("hdfs-tiered-volume", EnumSet.of(Place.DATA_NODE)) {
    @Override
    void register() {
      SampleVolumes.publish();
    }
  },
  MOVES("hdfs-tiered-volume", EnumSet.of(Place.CLIENT)) {
    @Override
    void register() {
      SampleMoves.publish();
    }
  };

  private final String module;
  private final Set<Place> places;

  Registrant(String module, Set<Place> places) {
    this.module = module;
    this.places = places;
  }

  /** Returns the module's name. */
  String module() {
    return module;
  }

  /** Returns the processes that show its sources. */
  Set<Place> places() {
    return places;
  }

  /** Makes the module register its sources. */
  abstract void register();

  /**
   * Initializes a class by its name, because this module is never compiled with a module of
   * patches.
   */
  private static void initialize(String name) {
    try {
      Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the jar with " + name + " is not on the class path", e);
    }
  }
}
