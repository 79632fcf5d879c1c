/**
 * What metrics cost: an update of a counter, a value in a histogram, a snapshot; ours beside those
 * of HBase and Hadoop and the best libraries.
 *
 * <p>All implementations run in one invocation, in the world {@code metrics}; a fork loads only the
 * one that its parameter names, so that the JIT inlines it as it would in a program that has no
 * other.
 *
 * <p>Updates, about 10 minutes; snapshots, about 6; a quick look at both, about one:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar 'metrics.(Counter|Histogram)' --millis 200 --rounds 6 --out updates.json --report updates.html
 * java -jar benchmarks/target/benchmarks.jar SnapshotBenchmark --millis 1000 --rounds 3 --out snapshot.json --report snapshot.html
 * java -jar benchmarks/target/benchmarks.jar metrics --quick --rounds 1 --out metrics.json
 * </pre>
 *
 * <p>Updates are counted over all threads together: a mean of the threads' times per update would
 * mostly show how long the unlucky ones wait where there are more threads than processors.
 */
package org.fastpath.bench.jmh.metrics;
