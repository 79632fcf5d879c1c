/**
 * Runs JMH benchmarks in {@link org.fastpath.bench.engine.World}s, stock or ours, interleaved round
 * by round, and leaves a results file.
 */
package org.fastpath.bench.jmh;
