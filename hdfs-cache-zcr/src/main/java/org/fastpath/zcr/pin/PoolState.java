package org.fastpath.zcr.pin;

/**
 * The NameNode's state of a cache pool.
 *
 * @param limit bytes of memory for its directives
 * @param neededBytes bytes that they need
 * @param cachedBytes bytes that DataNodes have locked for them
 * @param leaseMillis lease of new directives: the configured one, or the pool's maximum if that is
 *     less
 */
record PoolState(long limit, long neededBytes, long cachedBytes, long leaseMillis) {}
