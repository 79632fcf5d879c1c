/** Runs JMH benchmarks in their worlds, stock or ours, interleaved by round. */
package org.fastpath.bench.jmh;
