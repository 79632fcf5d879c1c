package org.fastpath.regionserver;

import org.apache.hadoop.conf.Configuration;

/** A cache that was put into a RegionServer, or none. */
@FunctionalInterface
interface CacheHandle {
  /** No cache: its jar is not on the class path, or the feature stands aside. */
  CacheHandle NONE = conf -> {};

  /** Passes changes of the configuration on. */
  void onConfigurationChange(Configuration conf);
}
