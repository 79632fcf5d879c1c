/**
 * Benchmarks of the cost of metrics: an update of a counter, a value in a histogram, a snapshot.
 * They compare ours with those of HBase and Hadoop and the best libraries.
 *
 * <p>Updates are counted over all threads together. If there are more threads than processors, a
 * mean of the threads' times per update would mostly show waits for a processor.
 */
package org.fastpath.bench.jmh.metrics;
