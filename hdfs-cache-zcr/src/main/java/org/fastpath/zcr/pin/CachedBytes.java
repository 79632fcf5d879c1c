package org.fastpath.zcr.pin;

import java.util.Map;

/**
 * The bytes of each region's store files in locked memory, by host. Immutable; it owns the given
 * maps.
 *
 * @param byRegion bytes by host in lower case, by encoded name of the region
 */
public record CachedBytes(Map<String, Map<String, Long>> byRegion) {
  /** No known bytes. */
  public static final CachedBytes NONE = new CachedBytes(Map.of());

  /** Returns whether nothing is known to be in locked memory. */
  public boolean isEmpty() {
    return byRegion.isEmpty();
  }

  /** Returns the bytes of one region by host. */
  public Map<String, Long> of(String region) {
    return byRegion.getOrDefault(region, Map.of());
  }

  /** Returns the bytes of all regions and hosts. */
  long total() {
    return byRegion.values().stream()
        .flatMap(byHost -> byHost.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
