/**
 * Runs JMH benchmarks in {@link org.fastpath.bench.engine.World}s, stock or ours, interleaved by
 * round, and writes a results file.
 */
package org.fastpath.bench.jmh;
