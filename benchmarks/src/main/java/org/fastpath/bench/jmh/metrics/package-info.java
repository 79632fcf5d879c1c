/**
 * Benchmarks of the cost of metrics: an update of a counter, a value in a histogram, a snapshot.
 * They compare ours with those of HBase and Hadoop and the best libraries.
 *
 * <p>All implementations run in one invocation, in the world {@code metrics}. A fork loads only the
 * one of its parameter. So the JIT inlines it as in a program without another one.
 *
 * <p>Updates take about 10 minutes, snapshots about 6, the quick run of both about one:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar 'metrics.(Counter|Histogram)' --millis 200 --rounds 6 --out updates.json --report updates.html
 * java -jar benchmarks/target/benchmarks.jar SnapshotBenchmark --millis 1000 --rounds 3 --out snapshot.json --report snapshot.html
 * java -jar benchmarks/target/benchmarks.jar metrics --quick --rounds 1 --out metrics.json
 * </pre>
 *
 * <p>Updates are counted over all threads together. If there are more threads than processors, a
 * mean of the threads' times per update would mostly show waits for a processor.
 */
package org.fastpath.bench.jmh.metrics;
