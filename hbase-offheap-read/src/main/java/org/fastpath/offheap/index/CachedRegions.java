package org.fastpath.offheap.index;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The bytes of the cached blocks of each region: an unmodifiable live view by the region's encoded
 * name. HBase asks for it once for each region and heartbeat, so a look-up costs the same with any
 * number of files. A block that comes or goes changes one number.
 *
 * <p>Look-ups are thread-safe; changes need the cache's lock.
 */
final class CachedRegions extends AbstractMap<String, Long> {
  private final ConcurrentMap<String, Region> regions = new ConcurrentHashMap<>();

  /** A region with files in the cache. */
  static final class Region {
    private final String name;
    private volatile long bytes;
    private int files;

    private Region(String name) {
      this.name = name;
    }

    void add(long more) {
      bytes = bytes + more;
    }
  }

  /** Adds a file to a region. */
  Region enter(String name) {
    Region region = regions.computeIfAbsent(name, Region::new);
    region.files++;
    return region;
  }

  /** Removes a file without blocks from its region. */
  void leave(Region region) {
    if (--region.files == 0) {
      regions.remove(region.name);
    }
  }

  @Override
  public Long get(Object name) {
    Region region = regions.get(name);
    return region == null ? null : region.bytes;
  }

  @Override
  public boolean containsKey(Object name) {
    return regions.containsKey(name);
  }

  @Override
  public Set<Map.Entry<String, Long>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return regions.size();
      }

      @Override
      public Iterator<Map.Entry<String, Long>> iterator() {
        return regions.values().stream()
            .map(region -> Map.entry(region.name, region.bytes))
            .iterator();
      }
    };
  }
}
