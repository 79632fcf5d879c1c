/**
 * Benchmarks of the calls of an off-heap block cache. They compare ours with HBase's BucketCache
 * and with Caffeine, all behind HBase's interface {@code BlockCache}. The suite takes about 30
 * minutes, the quick run about 4:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar offheap --millis 1000 --rounds 6 --out offheap.json --report offheap.html
 * java -jar benchmarks/target/benchmarks.jar offheap --quick --millis 300 --rounds 2 --out offheap.json
 * </pre>
 */
package org.fastpath.bench.jmh.offheap;
