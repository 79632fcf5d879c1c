package org.fastpath.bench.offheap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@link Probe}s measure, with the parameters and memory of each. */
enum Measured {
  /** See {@link ReaderStall}. */
  STALLS("stalls", new ReaderStall(), List.of()) {
    @Override
    List<Map<String, String>> cases(BlockCacheExperiment.Plan plan) {
      return List.of(
          Map.of(
              ReaderStall.SECONDS, "" + plan.seconds(),
              ReaderStall.INSERTS, "" + plan.insertsPerSecond()));
    }
  },
  /** See {@link HeapPerBlock}. */
  HEAP("heap", new HeapPerBlock(), List.of("-Xms4g", "-Xmx4g", "-XX:MaxDirectMemorySize=5g")) {
    @Override
    List<Map<String, String>> cases(BlockCacheExperiment.Plan plan) {
      return List.of(Map.of(HeapPerBlock.BLOCKS, "" + plan.blocks()));
    }
  },
  /** See {@link MemoryWaste}. */
  WASTE("waste", new MemoryWaste(256L << 20, 48L << 20), List.of()) {
    @Override
    List<Map<String, String>> cases(BlockCacheExperiment.Plan plan) {
      List<Map<String, String>> cases = new ArrayList<>();
      for (String values : MemoryWaste.ALL_VALUES) {
        for (String coding : MemoryWaste.ALL_CODINGS) {
          cases.add(Map.of(MemoryWaste.VALUES, values, MemoryWaste.CODING, coding));
        }
      }
      return cases;
    }
  },
  /** See {@link GrowthStall}. */
  GROWTH("growth", new GrowthStall(), List.of("-XX:MaxDirectMemorySize=8g")) {
    @Override
    List<Map<String, String>> cases(BlockCacheExperiment.Plan plan) {
      return List.of(Map.of(GrowthStall.MEGABYTES, "4096"));
    }

    @Override
    boolean measures(CacheSide side) {
      return side.grows();
    }
  };

  private final String id;
  private final Probe probe;
  private final List<String> jvmFlags;

  Measured(String id, Probe probe, List<String> jvmFlags) {
    this.id = id;
    this.probe = probe;
    this.jvmFlags = jvmFlags;
  }

  String id() {
    return id;
  }

  Probe probe() {
    return probe;
  }

  /** In addition to those of the world, which they override. */
  List<String> jvmFlags() {
    return jvmFlags;
  }

  /** The sets of parameters that are measured. */
  abstract List<Map<String, String>> cases(BlockCacheExperiment.Plan plan);

  /** Whether a side can do it. */
  boolean measures(CacheSide side) {
    return true;
  }

  static Measured of(String id) {
    return Arrays.stream(values())
        .filter(measured -> measured.id.equals(id))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("nothing measures " + id + ": " + ids() + " are"));
  }

  static String ids() {
    return Arrays.stream(values()).map(Measured::id).collect(Collectors.joining(", "));
  }
}
