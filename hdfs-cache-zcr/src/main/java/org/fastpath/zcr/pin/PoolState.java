package org.fastpath.zcr.pin;

/**
 * A cache pool as the NameNode has it.
 *
 * @param limit bytes of memory that directives of it may ask for
 * @param neededBytes what they ask for
 * @param cachedBytes what DataNodes have locked for them
 * @param leaseMillis for how long they are added: what the configuration says, or the longest that
 *     the pool allows
 */
record PoolState(long limit, long neededBytes, long cachedBytes, long leaseMillis) {}
