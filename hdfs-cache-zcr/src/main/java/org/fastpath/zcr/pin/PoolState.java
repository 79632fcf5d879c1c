package org.fastpath.zcr.pin;

import java.util.Map;

/**
 * A cache pool as the NameNode has it.
 *
 * @param limit bytes of memory that directives of it may ask for
 * @param neededBytes what they ask for
 * @param cachedBytes what DataNodes have locked for them
 * @param directives those of files below the directory of this HBase, by path
 */
record PoolState(
    long limit, long neededBytes, long cachedBytes, Map<String, Directive> directives) {
  PoolState {
    directives = Map.copyOf(directives);
  }
}
