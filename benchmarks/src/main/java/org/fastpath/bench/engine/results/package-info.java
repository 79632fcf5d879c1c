/**
 * Raw measurements of JMH suites and cluster workloads in a file, and the comparison of variants.
 */
package org.fastpath.bench.engine.results;
