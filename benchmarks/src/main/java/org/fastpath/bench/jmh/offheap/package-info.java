/**
 * What calls of an off-heap block cache cost: ours beside HBase's BucketCache and beside Caffeine,
 * all behind HBase's interface {@code BlockCache}. About 30 minutes; a quick look, about 4:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar offheap --millis 1000 --rounds 6 --out offheap.json --report offheap.html
 * java -jar benchmarks/target/benchmarks.jar offheap --quick --millis 300 --rounds 2 --out offheap.json
 * </pre>
 */
package org.fastpath.bench.jmh.offheap;
