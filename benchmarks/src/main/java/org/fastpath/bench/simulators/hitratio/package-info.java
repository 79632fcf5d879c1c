/** Computes hit ratios of cache policies on traces: ours, its rivals and the optimum. */
package org.fastpath.bench.simulators.hitratio;
