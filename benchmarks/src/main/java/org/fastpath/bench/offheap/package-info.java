/**
 * What an off-heap block cache costs and how much it holds: ours beside HBase's BucketCache and
 * beside Caffeine, all behind HBase's interface {@code BlockCache}.
 *
 * <p>Two kinds. JMH benchmarks of calls, about 30 minutes; a quick look, about 4:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar offheap --millis 1000 --rounds 6 --out offheap.json --report offheap.html
 * java -jar benchmarks/target/benchmarks.jar offheap --quick --millis 300 --rounds 2 --out offheap.json
 * </pre>
 *
 * <p>And {@link org.fastpath.bench.offheap.Probe}s, each in a JVM of its own, for what is no mean
 * time of a call: a reader's worst stalls, heap per block, memory wasted.
 *
 * <pre>
 * bin/fastpath workload block-cache --rounds 3
 * </pre>
 */
package org.fastpath.bench.offheap;
