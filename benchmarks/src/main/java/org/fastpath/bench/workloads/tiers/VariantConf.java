package org.fastpath.bench.workloads.tiers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.engine.Experiment;

/**
 * Additional configuration of RegionServers. The best settings differ between variants. A key that
 * begins with the name of a variant, as in {@code ours:KEY}, is for that variant only. It overrides
 * the same key without a variant.
 */
record VariantConf(Map<String, String> values) {
  private static final String SEPARATOR = ":";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException naming the existing variants, if one does not exist
   */
  public VariantConf {
    values = Map.copyOf(values);
    for (String key : values.keySet()) {
      if (isForOneVariant(key)) {
        Experiment.named(
            "side",
            key.substring(0, key.indexOf(SEPARATOR)),
            List.of(TierVariant.values()),
            TierVariant::label);
      }
    }
  }

  /** Returns the configuration of one variant. */
  Map<String, String> of(TierVariant variant) {
    Map<String, String> conf = new HashMap<>();
    values.forEach(
        (key, value) -> {
          if (!isForOneVariant(key)) {
            conf.put(key, value);
          }
        });
    String prefix = variant.label() + SEPARATOR;
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            conf.put(key.substring(prefix.length()), value);
          }
        });
    return conf;
  }

  private static boolean isForOneVariant(String key) {
    return key.contains(SEPARATOR);
  }
}
