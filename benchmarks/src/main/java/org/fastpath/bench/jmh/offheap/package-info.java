/**
 * Benchmarks of the calls of an off-heap block cache. They compare ours with HBase's BucketCache
 * and with Caffeine, all behind HBase's interface {@code BlockCache}.
 */
package org.fastpath.bench.jmh.offheap;
