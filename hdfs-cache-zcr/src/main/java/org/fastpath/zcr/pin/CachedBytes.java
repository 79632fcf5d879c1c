package org.fastpath.zcr.pin;

import java.util.Map;

/**
 * How many bytes of each region's store files the DataNodes of each host have in locked memory.
 * Immutable; the maps are given away to it.
 *
 * @param byRegion bytes by host in lower case, by encoded name of the region
 */
public record CachedBytes(Map<String, Map<String, Long>> byRegion) {
  /** Of nothing anything is known. */
  public static final CachedBytes NONE = new CachedBytes(Map.of());

  /** Whether nothing is in locked memory, or known to be. */
  public boolean isEmpty() {
    return byRegion.isEmpty();
  }

  /** Those of one region by host. */
  public Map<String, Long> of(String region) {
    return byRegion.getOrDefault(region, Map.of());
  }

  /** Those of all regions and hosts. */
  long total() {
    return byRegion.values().stream()
        .flatMap(byHost -> byHost.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
