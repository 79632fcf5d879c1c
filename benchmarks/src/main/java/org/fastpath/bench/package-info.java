/**
 * The benchmark harness: JMH benchmarks run in {@link org.fastpath.bench.World}s, stock or ours,
 * interleaved round by round, and leave a results file.
 */
package org.fastpath.bench;
