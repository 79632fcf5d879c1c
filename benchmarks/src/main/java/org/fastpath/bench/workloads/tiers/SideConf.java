package org.fastpath.bench.workloads.tiers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Experiment;

/**
 * Additional configuration of RegionServers. The best settings differ between sides. A key that
 * begins with the name of a side, as in {@code ours:KEY}, is for that side only. It overrides the
 * same key without a side.
 */
record SideConf(Map<String, String> values) {
  private static final String SEPARATOR = ":";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException naming the existing sides, if one does not exist
   */
  public SideConf {
    values = Map.copyOf(values);
    for (String key : values.keySet()) {
      if (isForOneSide(key)) {
        Experiment.named(
            "side",
            key.substring(0, key.indexOf(SEPARATOR)),
            List.of(TierSide.values()),
            TierSide::label);
      }
    }
  }

  /** Returns the configuration of one side. */
  Map<String, String> of(TierSide side) {
    Map<String, String> conf = new HashMap<>();
    values.forEach(
        (key, value) -> {
          if (!isForOneSide(key)) {
            conf.put(key, value);
          }
        });
    String prefix = side.label() + SEPARATOR;
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            conf.put(key.substring(prefix.length()), value);
          }
        });
    return conf;
  }

  private static boolean isForOneSide(String key) {
    return key.contains(SEPARATOR);
  }
}
